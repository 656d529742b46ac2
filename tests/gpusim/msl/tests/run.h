// run.h: Metal's kernels on a simulated device of their own.
#pragma once
#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "core/device.h"
#include "msl/include/msl/arithmetic.h"

namespace gpusim::msl {

inline Library& library_at(const char* path) {
  std::string why_not;
  auto library = Library::open(path, why_not);
  if (library == nullptr) throw std::runtime_error(why_not);
  return *library.release();  // for as long as the process
}
/// Fast, and with every access looked at.
inline Library& plain() {
  static Library& library = library_at(MSL_KERNELS);
  return library;
}
inline Library& checked() {
  static Library& library = library_at(MSL_KERNELS_CHECKED);
  return library;
}

/// A SIMD-group's width and an order of threads: what kernels are run under.
struct Way {
  unsigned width = 32;
  Schedule schedule = Schedule::random;
  std::uint64_t seed = 1;
};

class Runner {
 public:
  explicit Runner(Library& library, Way way = {})
      : library_(library),
        device_({.warp_width = way.width,
                 .memory_bytes = std::size_t{1} << 28,
                 .schedule = way.schedule,
                 .seed = way.seed}) {}

  template <class T>
  T* of(const std::vector<T>& values) {
    T* array = unwritten<T>(values.size());
    device_.memory().write(array, values.data(), values.size() * sizeof(T));
    return array;
  }
  template <class T>
  T* unwritten(std::size_t count) {
    return static_cast<T*>(device_.memory().allocate(count * sizeof(T)));
  }
  template <class T>
  std::vector<T> read(const T* array, std::size_t count) {
    std::vector<T> values(count);
    device_.memory().read(values.data(), array, count * sizeof(T));
    return values;
  }

  /// Binds the arrays from [[buffer(0)]] on, and the constants behind them.
  template <class Constants>
  void run(const std::string& name, Extent grid, unsigned threads, std::vector<void*> arrays,
           const Constants& constants) {
    const gpusim_kernel* kernel = library_.find(name);
    ASSERT_NE(kernel, nullptr) << name;
    arrays.push_back(of(std::vector<Constants>{constants}));
    ASSERT_EQ(kernel->argument_count, arrays.size()) << name;
    std::vector<void*> arguments;
    for (void*& array : arrays) arguments.push_back(&array);
    const ::msl::HostsArithmetic at_the_end;
    EXPECT_TRUE(device_.run(library_, *kernel, {grid, {threads, 1, 1}, arguments.data()})) << name;
    device_.memory().free(arrays.back());
  }
  /// The words of what was reported since the last time.
  std::vector<std::string> faults() {
    std::vector<std::string> words;
    for (const Report& report : device_.reports().all())
      words.push_back(std::string(name(report.fault)) + ": " + report.kernel + ": " + report.text);
    device_.reports().clear();
    return words;
  }
  Device& device() { return device_; }

 private:
  Library& library_;
  Device device_;
};

inline bool is_nan(std::uint32_t bits) { return (bits & 0x7fffffffu) > 0x7f800000u; }
inline bool is_nan(std::uint64_t bits) { return (bits & 0x7fffffffffffffffu) > 0x7ff0000000000000u; }

/// The same bits, but that a NaN is a NaN.
template <class Bits>
void expect_same(const std::vector<Bits>& found, const std::vector<Bits>& expected, const std::string& what) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (is_nan(found[i]) && is_nan(expected[i])) continue;
    ASSERT_EQ(found[i], expected[i]) << what << ", element " << i << std::hex << ": found 0x" << found[i]
                                     << ", expected 0x" << expected[i];
  }
}

template <class To, class From>
std::vector<To> cast(const std::vector<From>& values) {
  std::vector<To> out(values.size());
  static_assert(sizeof(To) == sizeof(From));
  std::memcpy(out.data(), values.data(), values.size() * sizeof(To));
  return out;
}

}  // namespace gpusim::msl
