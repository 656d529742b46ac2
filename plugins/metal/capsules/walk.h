// walk.h: the offsets of an array's elements in the order of some of its axes, as the kernels follow them.
//
// A Walk is a small value, built when a kernel is prepared. Adjacent axes that one stride serves are merged. Threads:
// const members from any thread.
#pragma once
#include "plan.h"

namespace tenon::metal {

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

/// Extents and strides of several walks, one after the other, into places of a kernel's constants.
template <std::size_t Room>
void put_walks(unsigned (&extents)[Room], unsigned (&strides)[Room], std::span<const Walk* const> walks) {
  std::vector<Walk::Axis> axes;
  for (const Walk* walk : walks) axes.insert(axes.end(), walk->axes().begin(), walk->axes().end());
  if (axes.size() > Room) throw Unserved("serves at most ", Room, " axes that do not merge, given ", axes.size());
  axes.resize(Room, {1, 0});
  for (std::size_t i = 0; i < Room; ++i) {
    extents[i] = count32(axes[i].extent);
    strides[i] = count32(axes[i].stride);
  }
}

}  // namespace tenon::metal
