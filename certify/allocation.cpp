#include "allocation.h"

#include <unistd.h>

#include <atomic>
#include <bit>
#include <cerrno>
#include <cstddef>
#include <cstdlib>

#if defined(__has_feature)
#define TENON_HAS(feature) __has_feature(feature)
#else
#define TENON_HAS(feature) 0
#endif

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || TENON_HAS(address_sanitizer) || \
    TENON_HAS(thread_sanitizer) || TENON_HAS(memory_sanitizer) || !defined(__GLIBC__)

namespace tenon::check {

AllocationControl allocation_control() { return {}; }

}  // namespace tenon::check

#else

// The C library's own, under the names by which it offers them to who replaces the usual ones.
extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);
void __libc_free(void*);
}

namespace {

constinit std::atomic<long> live{0};
constinit thread_local long left = -1, taken = 0;
constinit thread_local bool has_failed = false;

/// Counts one allocation of this thread; false if it is the one that is to fail.
bool may_take() {
  ++taken;
  if (left < 0 || left-- != 0) return true;
  has_failed = true;
  errno = ENOMEM;
  return false;
}

std::size_t page_bytes() { return static_cast<std::size_t>(sysconf(_SC_PAGESIZE)); }

void* counted(void* memory) {
  if (memory != nullptr) live.fetch_add(1, std::memory_order_relaxed);
  return memory;
}

}  // namespace

extern "C" {

__attribute__((visibility("default"))) void* malloc(std::size_t bytes) {
  return may_take() ? counted(__libc_malloc(bytes)) : nullptr;
}

__attribute__((visibility("default"))) void* calloc(std::size_t count, std::size_t bytes) {
  return may_take() ? counted(__libc_calloc(count, bytes)) : nullptr;
}

__attribute__((visibility("default"))) void* realloc(void* memory, std::size_t bytes) {
  if (!may_take()) return nullptr;
  void* moved = __libc_realloc(memory, bytes);
  if (memory == nullptr) return counted(moved);
  if (moved == nullptr && bytes == 0) live.fetch_sub(1, std::memory_order_relaxed);
  return moved;
}

__attribute__((visibility("default"))) void* memalign(std::size_t alignment, std::size_t bytes) {
  return may_take() ? counted(__libc_memalign(alignment, bytes)) : nullptr;
}

__attribute__((visibility("default"))) void* aligned_alloc(std::size_t alignment, std::size_t bytes) {
  return memalign(alignment, bytes);
}

__attribute__((visibility("default"))) void* valloc(std::size_t bytes) { return memalign(page_bytes(), bytes); }

__attribute__((visibility("default"))) void* pvalloc(std::size_t bytes) {
  const std::size_t last = page_bytes() - 1;
  return memalign(last + 1, bytes <= ~last ? (bytes + last) & ~last : bytes);  // too many are refused as they are
}

__attribute__((visibility("default"))) int posix_memalign(void** memory, std::size_t alignment, std::size_t bytes) {
  if (!std::has_single_bit(alignment) || alignment % sizeof(void*) != 0) return EINVAL;
  void* taken_memory = memalign(alignment, bytes);
  if (taken_memory == nullptr) return ENOMEM;
  *memory = taken_memory;
  return 0;
}

__attribute__((visibility("default"))) void free(void* memory) {
  if (memory != nullptr) live.fetch_sub(1, std::memory_order_relaxed);
  __libc_free(memory);
}

}  // extern "C"

namespace tenon::check {

AllocationControl allocation_control() {
  return {[](long n) { left = n, has_failed = false; }, [] { return has_failed; }, [] { return taken; },
          [] { return live.load(); }};
}

}  // namespace tenon::check

#endif
