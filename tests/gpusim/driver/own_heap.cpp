// The simulator's own memory, taken from the C library behind the back of whoever counts or fails allocations: they
// test a plugin, and a device allocates nothing on the host. The libraries are linked with --wrap for these names and
// with a C++ library of their own (CMakeLists.txt), so that it allocates here too.
#include <cerrno>
#include <cstddef>

#define GPUSIM_WRAP extern "C" __attribute__((visibility("hidden")))

extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);
void __libc_free(void*);
}

GPUSIM_WRAP void* __wrap_malloc(std::size_t bytes) { return __libc_malloc(bytes); }
GPUSIM_WRAP void* __wrap_calloc(std::size_t count, std::size_t bytes) { return __libc_calloc(count, bytes); }
GPUSIM_WRAP void* __wrap_realloc(void* memory, std::size_t bytes) { return __libc_realloc(memory, bytes); }
GPUSIM_WRAP void* __wrap_aligned_alloc(std::size_t alignment, std::size_t bytes) {
  return __libc_memalign(alignment, bytes);
}
GPUSIM_WRAP void __wrap_free(void* memory) { __libc_free(memory); }
