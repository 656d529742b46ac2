// failing_allocator.h: the allocator of a whole test program, which can be told to fail the n-th allocation of a
// thread.
//
// Replaces operator new and delete, so that exactly one file of a program may include it. With the plain operators,
// those that do not throw are replaced too: std::stable_sort takes its buffer by one and gives it back by the other.
#pragma once
#include <cstdlib>
#include <new>

namespace tenon::test {

inline thread_local long allocations_left = -1;  // before one fails; below zero: no limit

inline void* allocate_or_null(std::size_t bytes) {
  if (allocations_left >= 0 && allocations_left-- == 0) return nullptr;
  return std::malloc(bytes > 0 ? bytes : 1);
}

inline void* allocate_or_throw(std::size_t bytes) {
  if (void* memory = allocate_or_null(bytes)) return memory;
  throw std::bad_alloc();
}

}  // namespace tenon::test

// Not inlined: g++ would see operator new paired with free and warn.
[[gnu::noinline]] void* operator new(std::size_t bytes) { return tenon::test::allocate_or_throw(bytes); }
[[gnu::noinline]] void* operator new[](std::size_t bytes) { return tenon::test::allocate_or_throw(bytes); }
[[gnu::noinline]] void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
  return tenon::test::allocate_or_null(bytes);
}
[[gnu::noinline]] void* operator new[](std::size_t bytes, const std::nothrow_t&) noexcept {
  return tenon::test::allocate_or_null(bytes);
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete[](void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, const std::nothrow_t&) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete[](void* memory, const std::nothrow_t&) noexcept { std::free(memory); }
