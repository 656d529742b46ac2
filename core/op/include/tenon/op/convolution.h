// convolution.h: cross-correlation over any number of spatial axes; batch first, channels second.
#pragma once
#include "tenon/op/window.h"

// clang-format off
#define TENON_CONVOLUTION_OPS(TENON_OP) \
  TENON_OP(conv, (x, weight, bias), (), (), Window, plain, "(batch, in, spatial...) by (out, in / groups, kernel...), plus bias (out): cross-correlation, padded with 0") \
  TENON_OP(conv_transpose, (x, weight, bias), (), (), Window, plain, "(batch, in, spatial...) by (in, out / groups, kernel...), plus bias (out): how conv's result depends on its x, transposed") \
  TENON_OP(conv_grad_input,  (x, weight, upstream), (), (), Window, internal, "conv's gradient for x, of which the shape alone matters") \
  TENON_OP(conv_grad_weight, (x, weight, upstream), (), (), Window, internal, "conv's gradient for weight, of which the shape alone matters")
// clang-format on

namespace tenon::rule {

/// False, and words, unless the window's numbers are some for so many spatial axes.
constexpr bool fits_axes(const Window& window, int axes, Message& why) {
  if (window.groups < 1) refuse(why, "groups ", AxisNumber{window.groups}, ": expected a number from 1 on");
  return why.empty() && one_per_axis("stride", window.stride, axes, 1, why) &&
         one_per_axis("padding", window.padding, axes, 0, why) &&
         one_per_axis("dilation", window.dilation, axes, 1, why);
}

/// The channels of all groups.
constexpr Extent of_groups(Extent channels, Extent groups) {
  if (is_known(channels)) return bounded_product(channels, groups);
  return groups == 1 ? channels : dyn;
}

/// Do equal groups make up the channels?
constexpr bool divides(Extent groups, Extent channels) {
  return is_known(channels) ? channels % groups == 0 : channels == dyn || groups == 1;
}

/// What conv and conv_transpose ask of x (..., channels, ...), a weight that takes `taken` and gives `given` channels,
/// of which `grouped` stand in its first axis, and the bias.
constexpr bool channels_fit(const Shape& x, Extent taken, Extent given, Extent grouped, const Shape& bias,
                            Extent groups, Message& why) {
  if (!divides(groups, grouped))
    refuse(why, "groups ", groups, " do not divide ", grouped, " channels");
  else if (!agree(x[1], taken))
    refuse(why, "x has ", x[1], " channels, weight takes ", taken);
  else if (!agree(given, bias[0]))
    refuse(why, "weight gives ", given, " channels, bias has ", bias[0]);
  return why.empty();
}

constexpr bool ranks_fit(In in) { return in[0].rank >= 3 && in[1].rank == in[0].rank && in[2].rank == 1; }

constexpr Shape conv(In in, const Attributes& attributes, Message& why) {
  const Shape &x = in[0], &weight = in[1], &bias = in[2];
  const Window& window = std::get<Window>(attributes);
  if (!ranks_fit(in)) return refuse(why, "expected (batch, in, spatial...), (out, in / groups, kernel...), (out)");
  if (!fits_axes(window, x.rank - 2, why) || !has_elements(weight.from(2), why)) return {};
  const Extent taken = of_groups(weight[1], window.groups);
  if (!channels_fit(x, taken, weight[0], weight[0], bias, window.groups, why)) return {};
  return Shape{x[0], meet(weight[0], bias[0])} + swept(x.from(2), weight.from(2), window, outputs_along, why);
}

constexpr Shape conv_transpose(In in, const Attributes& attributes, Message& why) {
  const Shape &x = in[0], &weight = in[1], &bias = in[2];
  const Window& window = std::get<Window>(attributes);
  if (!ranks_fit(in)) return refuse(why, "expected (batch, in, spatial...), (in, out / groups, kernel...), (out)");
  if (!fits_axes(window, x.rank - 2, why) || !has_elements(weight.from(2), why)) return {};
  const Extent given = of_groups(weight[1], window.groups);
  if (!channels_fit(x, weight[0], given, weight[0], bias, window.groups, why)) return {};
  return Shape{x[0], meet(given, bias[0])} + swept(x.from(2), weight.from(2), window, extent_for, why);
}

/// True if upstream has the shape of conv's result.
constexpr bool takes_upstream(In in, const Attributes& attributes, Message& why) {
  const Shape operands[] = {in[0], in[1], Shape{in[1][0]}};
  const Shape expected = conv(operands, attributes, why);
  if (why.empty() && !agree(expected, in[2])) refuse(why, "upstream must have shape ", expected);
  return why.empty();
}

constexpr Shape conv_grad_input(In in, const Attributes& attributes, Message& why) {
  return takes_upstream(in, attributes, why) ? in[0] : Shape{};
}

constexpr Shape conv_grad_weight(In in, const Attributes& attributes, Message& why) {
  return takes_upstream(in, attributes, why) ? in[1] : Shape{};
}

}  // namespace tenon::rule
