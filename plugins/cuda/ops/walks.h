// walks.h: walks over tensors, which kernels follow (kernels/walk.h). Pure functions; any thread.
#pragma once
#include <vector>

#include "kernels/walk.h"
#include "native.h"

namespace tenon::gpu {

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

/// Appends an axis, which runs faster than those before it.
inline void append_axis(Walk& walk, std::int64_t extent, std::int64_t stride) {
  const auto elements = static_cast<std::uint64_t>(extent);
  walk.count *= elements;
  if (extent == 1) return;
  if (walk.axes != 0 && walk.stride[walk.axes - 1] == stride * extent) {
    walk.extent[walk.axes - 1] *= elements;
    walk.stride[walk.axes - 1] = stride;
    return;
  }
  if (walk.axes == Walk::max_axes) refuse("a walk along more than ", Walk::max_axes, " axes");
  walk.extent[walk.axes] = elements;
  walk.stride[walk.axes++] = stride;
}

/// One axis.
inline Walk line(std::uint64_t count, std::int64_t stride) {
  Walk walk;
  append_axis(walk, static_cast<std::int64_t>(count), stride);
  return walk;
}

/// Where an operand's matrix stands for each of the result's: extents of 1 and missing axes repeat.
inline Walk matrices_of(const TensorView& operand, const TensorView& output) {
  Walk walk;
  const std::vector<std::int64_t> strides = dense_strides(operand.shape());
  for (std::size_t from_end = output.rank(); from_end > 2; --from_end) {
    const bool repeats = operand.extent_from_end(from_end) == 1;
    append_axis(walk, output.extent_from_end(from_end), repeats ? 0 : strides[operand.rank() - from_end]);
  }
  return walk;
}

}  // namespace tenon::gpu
