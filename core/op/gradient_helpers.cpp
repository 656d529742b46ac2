#include "tenon/gradient_helpers.h"

#include "tenon/ops.h"

namespace tenon {

Shape shape_of(Value x) { return x.recorder->shape(x); }

namespace {

Value filled_like(Value x, double value) { return fill(*x.recorder, Constant{shape_of(x), value}); }

/// The axes of `repeated` along which a tensor of shape `from` was repeated.
Shape repeated_axes(const Shape& repeated, const Shape& from) {
  Shape axes;
  const int missing = repeated.rank - from.rank;
  for (int axis = 0; axis < repeated.rank; ++axis)
    if (axis < missing || repeated[axis] != from[axis - missing]) axes.push_back(axis);
  return axes;
}

}  // namespace

Value ones_like(Value x) { return filled_like(x, 1); }
Value zeros_like(Value x) { return filled_like(x, 0); }
Value accumulate(Value sum, Value more) { return sum ? add(sum, more) : more; }

Value sum_to(Value x, const Shape& shape) {
  const Shape axes = repeated_axes(shape_of(x), shape);
  if (axes.rank > 0) x = reduce_sum(x, Axes{axes, true});
  return reshape_to(x, shape);
}

Shape all_but_channels(int rank) {
  Shape axes{0};
  for (int axis = 2; axis < rank; ++axis) axes.push_back(axis);
  return axes;
}

Value sum_of_channels(Value x) { return reduce_sum(x, Axes{all_but_channels(shape_of(x).rank)}); }

Value transpose(Value x) {
  const int rank = shape_of(x).rank;
  if (rank < 2) return x;  // what an inert operation returned
  Shape axes;
  for (int axis = 0; axis < rank; ++axis) axes.push_back(axis);
  std::swap(axes[-1], axes[-2]);
  return permute(x, Order{axes});
}

Value reshape_to(Value x, const Shape& shape) { return shape_of(x) == shape ? x : reshape(x, Target{shape}); }

}  // namespace tenon
