// ring.h: a queue between two threads, one that pushes and one that pops, without a lock and without an allocation.
//
// Owns its elements. Whoever finds it full, or empty, sleeps until the other side has moved: a caller that is that far
// ahead of the device has nothing better to do.
#pragma once
#include <array>
#include <atomic>
#include <cstdint>
#include <utility>

namespace acme {

template <class T, std::uint32_t Capacity>
class Ring {
  static_assert((Capacity & (Capacity - 1)) == 0, "a power of two: the counters wrap around");

 public:
  void push(T element) {
    const std::uint32_t at = pushed_.load(std::memory_order_relaxed);
    for (std::uint32_t popped; at - (popped = popped_.load(std::memory_order_acquire)) == Capacity;) {
      popped_.wait(popped, std::memory_order_acquire);
    }
    slots_[at % Capacity] = std::move(element);
    pushed_.store(at + 1, std::memory_order_release);
    pushed_.notify_one();
  }

  T pop() {
    const std::uint32_t at = popped_.load(std::memory_order_relaxed);
    pushed_.wait(at, std::memory_order_acquire);
    T element = std::move(slots_[at % Capacity]);
    popped_.store(at + 1, std::memory_order_release);
    popped_.notify_one();
    return element;
  }

 private:
  std::array<T, Capacity> slots_{};
  // On cache lines of their own, so that the two threads do not fight over one.
  alignas(64) std::atomic<std::uint32_t> pushed_{0};
  alignas(64) std::atomic<std::uint32_t> popped_{0};
};

}  // namespace acme
