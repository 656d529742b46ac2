// tap_shapes.h: which elements of an input a kernel meets as it moves over the spatial axes.
//
// Along an axis, output o and kernel element k meet input o * stride + k * dilation - padding; where the input has no
// such element the tap lies in the padding. The host builds Taps when a kernel is prepared and passes them by value:
// two axes for the usual shapes, with an axis of one element before a single one, else six. Planes have fewer than 2^31
// elements; with two axes every number is below 2^30, so that 32 bits hold all sums of them. Values; any thread.
#pragma once
#include <type_traits>

#include "tenon/strict/base.h"

namespace tenon::gpu {

struct TapExtents {
  std::int32_t inputs = 1, kernel = 1, outputs = 1;
};

template <class Number>
struct TapAxis : TapExtents {
  Number stride = 1, padding = 0, dilation = 1;
};

template <unsigned Axes>
struct Taps : TapExtents {  // of a plane, all axes together
  using Number = std::conditional_t<Axes == 2, std::int32_t, std::int64_t>;
  TapAxis<Number> axis[Axes];
};

/// A convolution of `batch` samples from `inputs` channels to `outputs`, in groups; a transposed one goes back.
struct Channels {
  std::int32_t batch, inputs, outputs, groups;

  TENON_DEVICE_FN std::int32_t inputs_per_group() const { return inputs / groups; }
  TENON_DEVICE_FN std::int32_t outputs_per_group() const { return outputs / groups; }
};

}  // namespace tenon::gpu
