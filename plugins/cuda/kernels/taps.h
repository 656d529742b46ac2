// taps.h: places of inputs, kernel elements and outputs, and how they meet (tap_shapes.h). Places are counted
// row-major. Values and pure functions.
#pragma once
#include "portable.h"
#include "tap_shapes.h"

namespace tenon::gpu {

// -- places -------------------------------------------------------------------------------------------------

using TapExtent = std::int32_t TapExtents::*;

/// A number for each axis, inside the extents.
template <unsigned Axes>
struct Place {
  std::int32_t at[Axes];
};
/// Where things meet: a number for each axis, inside the input or not.
template <unsigned Axes>
struct Point {
  typename Taps<Axes>::Number at[Axes];
};

/// The i-th of the inputs, kernel elements or outputs of a plane.
template <TapExtent extent, unsigned Axes>
TENON_DEVICE Place<Axes> place_of(const Taps<Axes>& taps, std::uint32_t i) {
  Place<Axes> place;
#pragma unroll
  for (unsigned axis = Axes - 1; axis != 0; --axis) {
    const auto size = static_cast<std::uint32_t>(taps.axis[axis].*extent);
    place.at[axis] = static_cast<std::int32_t>(i % size);
    i /= size;
  }
  place.at[0] = static_cast<std::int32_t>(i);
  return place;
}

/// The place so many further on; 1 where that leaves the plane and begins the next one, else 0. No division.
template <TapExtent extent, unsigned Axes>
TENON_DEVICE std::uint32_t advance(const Taps<Axes>& taps, Place<Axes>& place, const Place<Axes>& by) {
  std::uint32_t carry = 0;
#pragma unroll
  for (unsigned axis = Axes; axis-- != 0;) {
    const auto size = static_cast<std::uint32_t>(taps.axis[axis].*extent);
    const auto sum = static_cast<std::uint32_t>(place.at[axis]) + static_cast<std::uint32_t>(by.at[axis]) + carry;
    carry = sum >= size ? 1 : 0;
    place.at[axis] = static_cast<std::int32_t>(carry != 0 ? sum - size : sum);
  }
  return carry;
}
template <TapExtent extent, unsigned Axes>
TENON_DEVICE std::uint32_t advance(const Taps<Axes>& taps, Place<Axes>& place) {
  Place<Axes> one{};
  one.at[Axes - 1] = 1;
  return advance<extent>(taps, place, one);
}

// -- how they meet ------------------------------------------------------------------------------------------

/// What the window of an output begins with.
template <unsigned Axes>
TENON_DEVICE Point<Axes> corner_of(const Taps<Axes>& taps, const Place<Axes>& output) {
  Point<Axes> corner;
#pragma unroll
  for (unsigned i = 0; i < Axes; ++i) corner.at[i] = output.at[i] * taps.axis[i].stride - taps.axis[i].padding;
  return corner;
}

/// How far from there a kernel element's tap is.
template <unsigned Axes>
TENON_DEVICE Point<Axes> reach_of(const Taps<Axes>& taps, const Place<Axes>& kernel) {
  Point<Axes> reach;
#pragma unroll
  for (unsigned i = 0; i < Axes; ++i) reach.at[i] = kernel.at[i] * taps.axis[i].dilation;
  return reach;
}

/// The input there; -1 in the padding.
template <unsigned Axes>
TENON_DEVICE std::int32_t input_at(const Taps<Axes>& taps, const Point<Axes>& corner, const Point<Axes>& reach) {
  using Unsigned = std::make_unsigned_t<typename Taps<Axes>::Number>;
  std::int32_t input = 0;
  bool inside = true;
#pragma unroll
  for (unsigned axis = 0; axis < Axes; ++axis) {
    const std::int32_t inputs = taps.axis[axis].inputs;
    const auto i = corner.at[axis] + reach.at[axis];
    inside = inside && static_cast<Unsigned>(i) < static_cast<Unsigned>(inputs);
    input = input * inputs + static_cast<std::int32_t>(inside ? i : 0);
  }
  return inside ? input : -1;
}

/// An input's place, counted from where the padding begins.
template <unsigned Axes>
TENON_DEVICE Point<Axes> padded(const Taps<Axes>& taps, const Place<Axes>& input) {
  Point<Axes> place;
#pragma unroll
  for (unsigned i = 0; i < Axes; ++i) place.at[i] = input.at[i] + taps.axis[i].padding;
  return place;
}

/// The output whose window has that input so far from its corner; -1 where none has.
template <unsigned Axes>
TENON_DEVICE std::int32_t output_at(const Taps<Axes>& taps, const Point<Axes>& input, const Point<Axes>& reach) {
  using Number = typename Taps<Axes>::Number;
  std::int32_t output = 0;
  bool meets = true;
#pragma unroll
  for (unsigned axis = 0; axis < Axes; ++axis) {
    const auto& a = taps.axis[axis];
    const Number distance = input.at[axis] - reach.at[axis];
    Number steps = distance;
    if (a.stride != 1 && distance >= 0) {  // a division of 64 bits costs many times one of 32
      const bool narrow = sizeof(Number) == 4 || std::int64_t{distance | a.stride} >> 32 == 0;
      steps = narrow ? static_cast<Number>(static_cast<std::uint32_t>(distance) / static_cast<std::uint32_t>(a.stride))
                     : distance / a.stride;
    }
    meets = meets && distance >= 0 && steps * a.stride == distance && steps < a.outputs;
    output = output * a.outputs + static_cast<std::int32_t>(meets ? steps : 0);
  }
  return meets ? output : -1;
}

}  // namespace tenon::gpu
