// walk.h: the offsets of an array's elements in the order of some of its axes, as shaders/walk.glsl follows them.
//
// A Walk is a small value, built when a kernel is prepared. Adjacent axes that one stride serves are merged. Threads:
// const members from any thread.
#pragma once
#include "plan.h"

namespace tenon::vulkan {

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
  struct Axis {
    std::int64_t extent, stride;
  };

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
  std::uint64_t count() const { return count_; }
  const std::vector<Axis>& axes() const { return axes_; }

 private:
  std::vector<Axis> axes_;
  std::uint64_t count_ = 1;
};

/// Puts extents and strides of several walks, one after the other, into places for `room` axes.
inline void put_walks(Push& push, std::span<const Walk* const> walks, std::size_t room) {
  std::vector<Walk::Axis> axes;
  for (const Walk* walk : walks) axes.insert(axes.end(), walk->axes().begin(), walk->axes().end());
  if (axes.size() > room) throw Unserved("serves at most ", room, " axes that do not merge, given ", axes.size());
  axes.resize(room, {1, 0});
  for (const Walk::Axis& axis : axes) push.count(static_cast<std::uint64_t>(axis.extent));
  for (const Walk::Axis& axis : axes) push.count(static_cast<std::uint64_t>(axis.stride));
}
inline void put_walk(Push& push, const Walk& walk, std::size_t room = 8) {
  const Walk* walks[] = {&walk};
  put_walks(push, walks, room);
}

}  // namespace tenon::vulkan
