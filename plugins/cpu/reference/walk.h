// walk.h: the offsets of an array's elements in the order of some of its axes.
//
// A Walk is a small value, built when a kernel is prepared. Adjacent axes that one stride serves are merged, so that
// most walks are along a single axis. Threads: const members from any thread.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

namespace tenon::cpu::reference {

/// Strides, in elements, of a dense row-major array.
inline std::vector<std::int64_t> dense_strides(std::span<const std::int64_t> shape) {
  std::vector<std::int64_t> strides(shape.size());
  std::int64_t stride = 1;
  for (std::size_t axis = shape.size(); axis-- != 0;) {
    strides[axis] = stride;
    stride *= shape[axis];
  }
  return strides;
}

class Walk {
 public:
  /// Appends an axis, which runs faster than those before it.
  void push_back(std::int64_t extent, std::int64_t stride) {
    count_ *= static_cast<std::uint64_t>(extent);
    if (extent == 1) return;
    if (!axes_.empty() && axes_.back().stride == stride * extent) {
      axes_.back() = {axes_.back().extent * extent, stride};
    } else {
      axes_.push_back({extent, stride});
    }
  }

  /// Number of elements.
  std::uint64_t count() const { return count_; }

  /// The offset of element i, counted in row-major order.
  std::int64_t offset(std::uint64_t i) const {
    std::int64_t sum = 0;
    for (std::size_t axis = axes_.size(); axis-- != 0;) {
      const auto extent = static_cast<std::uint64_t>(axes_[axis].extent);
      sum += static_cast<std::int64_t>(i % extent) * axes_[axis].stride;
      i /= extent;
    }
    return sum;
  }

  /// One axis with one stride: offset(i) == i * stride().
  bool is_line() const { return axes_.size() <= 1; }
  std::int64_t stride() const { return axes_.empty() ? 0 : axes_[0].stride; }

 private:
  struct Axis {
    std::int64_t extent, stride;
  };
  std::vector<Axis> axes_;
  std::uint64_t count_ = 1;
};

}  // namespace tenon::cpu::reference
