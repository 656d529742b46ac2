// ring.h: a queue in a ring of slots that is allocated at once and grows only when it is full. Owns its elements. No
// locking of its own.
#pragma once
#include <cstddef>
#include <utility>
#include <vector>

namespace tenon::late {

template <class T>
class Ring {
 public:
  explicit Ring(std::size_t capacity) : slots_(capacity) {}

  bool empty() const { return count_ == 0; }
  std::size_t size() const { return count_; }

  void push(T element) {
    if (count_ == slots_.size()) grow();
    slots_[(first_ + count_++) % slots_.size()] = std::move(element);
  }

  T pop() {
    T element = std::move(slots_[first_]);
    first_ = (first_ + 1) % slots_.size();
    --count_;
    return element;
  }

 private:
  void grow() {
    std::vector<T> larger(2 * slots_.size());
    for (std::size_t i = 0; i < count_; ++i) larger[i] = std::move(slots_[(first_ + i) % slots_.size()]);
    slots_.swap(larger);
    first_ = 0;
  }

  std::vector<T> slots_;
  std::size_t first_ = 0, count_ = 0;
};

}  // namespace tenon::late
