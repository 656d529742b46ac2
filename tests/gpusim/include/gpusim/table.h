// table.h: how a library of kernels, compiled for the host, tells what it holds.
//
// Each source of kernels puts its entries into one section of the library (cmake/collect.cmake writes that), and the
// library exports gpusim_kernels(), which tells where they lie. The types of a kernel's parameters are known where its
// entry is made, and nowhere else: `call` has them.
#pragma once
#include <cstddef>
#include <utility>

extern "C" {

// Compilers align arrays more than their elements, up to this; and between those of a library nothing may lie.
struct alignas(64) gpusim_kernel {
  const char* name;
  void (*call)(void** arguments);  // as cuLaunchKernel has them: a pointer to each argument
  unsigned argument_count;
  const std::size_t* argument_bytes;
  unsigned max_threads;  // of its launch bounds; else the most that a block may have
};

struct gpusim_kernel_table {
  unsigned version;       // gpusim_table_version
  unsigned instrumented;  // whether accesses are told to the simulator
  unsigned count;
  const gpusim_kernel* kernels;
};

using gpusim_kernels_function = gpusim_kernel_table (*)();
}

inline constexpr unsigned gpusim_table_version = 2;

namespace gpusim {

template <auto function>
struct Entry;

template <class... Parameters, void (*function)(Parameters...)>
struct Entry<function> {
  static constexpr std::size_t bytes[] = {sizeof(Parameters)..., 0};

  // Not instrumented: arguments lie where the driver put them, not in memory of the device.
  template <std::size_t... i>
  __attribute__((no_sanitize("thread"))) static void unpack(void** arguments, std::index_sequence<i...>) {
    function(*static_cast<Parameters*>(arguments[i])...);
  }
  __attribute__((no_sanitize("thread"))) static void call([[maybe_unused]] void** arguments) {
    unpack(arguments, std::index_sequence_for<Parameters...>{});
  }

  /// The launch bounds' blocks per multiprocessor are a hint to compilers.
  static constexpr gpusim_kernel named(const char* name, unsigned max_threads = 1024, unsigned = 0) {
    return {name, &call, sizeof...(Parameters), bytes, max_threads};
  }
};

}  // namespace gpusim
