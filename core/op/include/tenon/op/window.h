// window.h: where a kernel stands when it moves over spatial axes; what convolution and pooling share.
//
// Along one axis, output o and kernel element k meet input o * stride + k * dilation - padding. Pure functions; any
// thread.
#pragma once
#include "tenon/rule.h"

namespace tenon::rule {

/// The numbers of one spatial axis.
struct Sweep {
  Extent kernel, stride = 1, padding = 0, dilation = 1;
};

/// A list's number for an axis; an empty list says the same of all.
constexpr Extent number_at(const Shape& list, int axis, Extent otherwise) {
  return list.rank == 0 ? otherwise : list[axis];
}

constexpr Sweep sweep_of(const Window& window, const Shape& kernel, int axis) {
  return {kernel[axis], number_at(window.stride, axis, 1), number_at(window.padding, axis, 0),
          number_at(window.dilation, axis, 1)};
}

constexpr Sweep sweep_of(const Pool& pool, const Shape& kernel, int axis) {
  return {kernel[axis], number_at(pool.stride, axis, kernel[axis]), number_at(pool.padding, axis, 0), 1};
}

/// What bounded_product says of anything greater; no padding, which is at most most_elements, takes it back into the
/// extents that a tensor may have.
inline constexpr Extent beyond_any_tensor = Extent{1} << 60;

/// A product of numbers from 0 on, or beyond_any_tensor.
constexpr Extent bounded_product(Extent a, Extent b) {
  return b != 0 && a > beyond_any_tensor / b ? beyond_any_tensor : a * b;
}

/// How far a kernel reaches beyond its padding: the least extent that it fits. Nothing if no tensor is that long.
constexpr std::optional<Extent> reach(const Sweep& sweep) {
  const Extent span = bounded_product(sweep.dilation, sweep.kernel - 1);
  if (span == beyond_any_tensor) return std::nullopt;
  return span + 1 - 2 * sweep.padding;
}

/// How often a kernel fits along an axis; nothing if not once. A named extent is any number from 1 on.
constexpr std::optional<Extent> outputs_along(Extent extent, const Sweep& sweep) {
  if (extent == dyn || !is_known(sweep.kernel)) return dyn;
  const std::optional<Extent> least = reach(sweep);
  if (!least || (is_named(extent) ? 1 : extent) < *least) return std::nullopt;
  if (is_named(extent)) return sweep.stride == 1 && *least == 1 ? extent : dyn;
  return (extent - *least) / sweep.stride + 1;
}

/// The least extent along which a kernel fits that often: what a transposed convolution makes. Nothing if there is
/// none.
constexpr std::optional<Extent> extent_for(Extent outputs, const Sweep& sweep) {
  if (outputs == dyn || !is_known(sweep.kernel)) return dyn;
  const std::optional<Extent> least = reach(sweep);
  if (outputs == 0 || !least) return std::nullopt;
  const Extent extent = bounded_product(is_named(outputs) ? 0 : outputs - 1, sweep.stride) + *least;
  if (extent < 1) return std::nullopt;
  if (is_named(outputs)) return sweep.stride == 1 && *least == 1 ? outputs : dyn;
  return extent;
}

/// False, and words, unless the list is empty or has a number from `least` to most_elements for each spatial axis.
constexpr bool one_per_axis(std::string_view what, const Shape& list, int axes, Extent least, Message& why) {
  const bool fits = list.rank == 0 || list.rank == axes;
  if (!fits || std::ranges::any_of(list.extents(), [=](Extent e) { return e < least; }))
    refuse(why, what, " ", AxisNumbers{list}, ": expected a number from ", least, " on for each of ", axes,
           " spatial axes");
  else if (std::ranges::any_of(list.extents(), [](Extent e) { return e > most_elements; }))
    refuse(why, what, " ", AxisNumbers{list}, ": expected numbers up to ", most_elements);
  return why.empty();
}

/// False, and words, if a known extent of the kernel is 0.
constexpr bool has_elements(const Shape& kernel, Message& why) {
  if (std::ranges::find(kernel.extents(), Extent{0}) != kernel.extents().end())
    refuse(why, "kernel ", kernel, " has no elements");
  return why.empty();
}

/// The spatial extents after `along`, which is outputs_along or extent_for.
template <class Numbers>
constexpr Shape swept(const Shape& spatial, const Shape& kernel, const Numbers& numbers,
                      std::optional<Extent> (*along)(Extent, const Sweep&), Message& why) {
  Shape out = spatial;
  for (int axis = 0; axis < spatial.rank; ++axis) {
    const Sweep sweep = sweep_of(numbers, kernel, axis);
    const std::optional<Extent> extent = along(spatial[axis], sweep);
    if (!extent)
      return refuse(why, "kernel ", kernel, " does not fit extent ", spatial[axis], " of spatial axis ", axis,
                    " with padding ", sweep.padding, " and dilation ", sweep.dilation);
    out[axis] = *extent;
  }
  return out;
}

}  // namespace tenon::rule
