// taps.h: places of inputs, kernel elements and outputs, and how they meet (tap_shapes.h). Pure functions.
#pragma once
#include "portable.h"
#include "tap_shapes.h"

namespace tenon::gpu {

/// A number for each axis.
template <unsigned Axes>
struct Place {
  std::int32_t at[Axes];
};

/// Where the i-th of the inputs, kernel elements or outputs of a plane is, counted row-major.
template <std::int32_t TapAxis::*extent, unsigned Axes>
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

/// The input that an output meets at a place of the kernel; -1 in the padding.
template <unsigned Axes>
TENON_DEVICE std::int32_t input_of(const Taps<Axes>& taps, const Place<Axes>& output, const Place<Axes>& kernel) {
  std::int32_t input = 0;
  bool inside = true;
#pragma unroll
  for (unsigned axis = 0; axis < Axes; ++axis) {
    const TapAxis& a = taps.axis[axis];
    const std::int64_t i = output.at[axis] * a.stride + kernel.at[axis] * a.dilation - a.padding;
    inside = inside && 0 <= i && i < a.inputs;
    input = input * a.inputs + static_cast<std::int32_t>(inside ? i : 0);
  }
  return inside ? input : -1;
}

/// The output that meets an input at a place of the kernel; -1 where none does.
template <unsigned Axes>
TENON_DEVICE std::int32_t output_of(const Taps<Axes>& taps, const Place<Axes>& input, const Place<Axes>& kernel) {
  std::int32_t output = 0;
  bool meets = true;
#pragma unroll
  for (unsigned axis = 0; axis < Axes; ++axis) {
    const TapAxis& a = taps.axis[axis];
    const std::int64_t distance = input.at[axis] + a.padding - kernel.at[axis] * a.dilation;
    std::int64_t steps = distance;
    if (a.stride != 1 && distance >= 0) {  // a division of 64 bits costs many times one of 32
      const bool narrow = (distance | a.stride) >> 32 == 0;
      steps =
          narrow ? static_cast<std::uint32_t>(distance) / static_cast<std::uint32_t>(a.stride) : distance / a.stride;
    }
    meets = meets && distance >= 0 && steps * a.stride == distance && steps < a.outputs;
    output = output * a.outputs + static_cast<std::int32_t>(meets ? steps : 0);
  }
  return meets ? output : -1;
}

}  // namespace tenon::gpu
