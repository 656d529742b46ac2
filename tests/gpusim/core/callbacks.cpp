// What the compiler makes an instrumented kernel call.
//
// Kernels are compiled with -fsanitize=thread, which calls a function before each access of memory that another thread
// could see, and tells reads from writes and size from size; with -fsanitize=bounds-strict, which calls one where an
// index exceeds the declared array, also within a larger one; and with -fsanitize=alignment, since a vector may be
// stored in parts that are aligned. Of the compilers' instrumentations these fit best:
// -fsanitize=kernel-address leaves out the second access of one address, which is the one that races, and coverage
// callbacks tell no size. None of the sanitizers' runtimes takes part: a library of kernels is linked with --wrap for
// each of these symbols (cmake/GpusimKernels.cmake), so that its calls come here even in a process that has such a
// runtime.
//
// Accesses that the optimiser removed are not seen, so instrumented kernels are compiled with little of it.
#include <cstring>

#include "block.h"

namespace {

using gpusim::Access;
using gpusim::Block;

void tell(const void* address, std::size_t bytes, Access access, bool aligned, const void* code) {
  if (Block* block = Block::running(); block != nullptr && bytes != 0)
    block->access(address, bytes, access, aligned, code);
}

// The begin of what GCC's and clang's ubsan tell about each fault.
struct Place {
  const char* file;
  unsigned line, column;
};

[[gnu::noinline]] void give_up(gpusim::Fault fault, const std::string& text, const Place& place, const void* code) {
  Block* block = Block::running();
  if (block != nullptr) block->give_up(fault, text + ", line " + std::to_string(place.line), code);
}

}  // namespace

#define GPUSIM_CALLBACK extern "C" __attribute__((visibility("default"))) void
#define GPUSIM_SIZE(bytes)                                            \
  GPUSIM_CALLBACK __wrap___tsan_read##bytes(void* p) {                \
    tell(p, bytes, Access::read, true, __builtin_return_address(0));  \
  }                                                                   \
  GPUSIM_CALLBACK __wrap___tsan_write##bytes(void* p) {               \
    tell(p, bytes, Access::write, true, __builtin_return_address(0)); \
  }
#define GPUSIM_UNALIGNED(bytes)                                        \
  GPUSIM_CALLBACK __wrap___tsan_unaligned_read##bytes(void* p) {       \
    tell(p, bytes, Access::read, false, __builtin_return_address(0));  \
  }                                                                    \
  GPUSIM_CALLBACK __wrap___tsan_unaligned_write##bytes(void* p) {      \
    tell(p, bytes, Access::write, false, __builtin_return_address(0)); \
  }

GPUSIM_SIZE(1)
GPUSIM_SIZE(2)
GPUSIM_SIZE(4)
GPUSIM_SIZE(8)
GPUSIM_SIZE(16)
GPUSIM_UNALIGNED(2)
GPUSIM_UNALIGNED(4)
GPUSIM_UNALIGNED(8)
GPUSIM_UNALIGNED(16)

GPUSIM_CALLBACK __wrap___tsan_read_range(void* p, std::size_t bytes) {
  tell(p, bytes, Access::read, false, __builtin_return_address(0));
}
GPUSIM_CALLBACK __wrap___tsan_write_range(void* p, std::size_t bytes) {
  tell(p, bytes, Access::write, false, __builtin_return_address(0));
}
GPUSIM_CALLBACK __wrap___tsan_init() {}
GPUSIM_CALLBACK __wrap___tsan_func_entry(void*) {}
GPUSIM_CALLBACK __wrap___tsan_func_exit(void*) {}

GPUSIM_CALLBACK __wrap___ubsan_handle_out_of_bounds(const Place* place, std::uintptr_t index) {
  give_up(gpusim::Fault::out_of_bounds, "index " + std::to_string(index) + " of an array", *place,
          __builtin_return_address(0));
}
GPUSIM_CALLBACK __wrap___ubsan_handle_type_mismatch_v1(const Place* place, std::uintptr_t address) {
  give_up(gpusim::Fault::misaligned, "address ending in " + std::to_string(address % 256), *place,
          __builtin_return_address(0));
}

// Copies that the compiler does not write out.
extern "C" __attribute__((visibility("default"))) void* __wrap_memcpy(void* to, const void* from, std::size_t bytes) {
  tell(from, bytes, Access::read, false, __builtin_return_address(0));
  tell(to, bytes, Access::write, false, __builtin_return_address(0));
  return std::memcpy(to, from, bytes);
}
extern "C" __attribute__((visibility("default"))) void* __wrap_memmove(void* to, const void* from, std::size_t bytes) {
  tell(from, bytes, Access::read, false, __builtin_return_address(0));
  tell(to, bytes, Access::write, false, __builtin_return_address(0));
  return std::memmove(to, from, bytes);
}
extern "C" __attribute__((visibility("default"))) int __wrap_memcmp(const void* a, const void* b, std::size_t bytes) {
  tell(a, bytes, Access::read, false, __builtin_return_address(0));
  tell(b, bytes, Access::read, false, __builtin_return_address(0));
  return std::memcmp(a, b, bytes);
}
extern "C" __attribute__((visibility("default"))) void* __wrap_memset(void* to, int byte, std::size_t bytes) {
  tell(to, bytes, Access::write, false, __builtin_return_address(0));
  return std::memset(to, byte, bytes);
}
