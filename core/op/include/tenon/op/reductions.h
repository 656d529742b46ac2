// reductions.h: many elements become one.
#pragma once
#include "tenon/rule.h"

// clang-format off
#define TENON_REDUCTION_OPS(TENON_OP) \
  TENON_OP(reduce_sum,  (x), (), (), Axes, plain, "sum over axes, in the order of the sixteen-lane tree") \
  TENON_OP(reduce_mean, (x), (), (), Axes, plain, "reduce_sum / number of elements reduced; NaN over none") \
  TENON_OP(reduce_max,  (x), (), (), Axes, plain, "greatest element over axes; NaN if one is; an error over no elements") \
  TENON_OP(reduce_max_grad, (x, y, upstream), (), (), Axes, internal, "upstream divided by the number of greatest elements at each of them, else 0; y = reduce_max(x)")
// clang-format on

namespace tenon::rule {

constexpr Shape reduce(In in, const Attributes& attributes, Message& why) {
  const Axes& a = std::get<Axes>(attributes);
  const std::optional<AxisSet> reduced = reduced_axes(a.axes, in[0].rank, why);
  return reduced ? without_axes(in[0], *reduced, a.keep_dims) : Shape{};
}

/// Would some element of the result be the reduction of no elements? With dyn: for every number it could be.
constexpr bool reduces_nothing(const Shape& x, AxisSet reduced) {
  bool nothing = false;
  for (int axis = 0; axis < x.rank; ++axis) {
    if (!contains(reduced, axis) && (x[axis] == 0 || x[axis] == dyn)) return false;
    if (contains(reduced, axis) && x[axis] == 0) nothing = true;
  }
  return nothing;
}

constexpr Shape reduce_sum(In in, const Attributes& a, Message& why) { return reduce(in, a, why); }
constexpr Shape reduce_mean(In in, const Attributes& a, Message& why) { return reduce(in, a, why); }

constexpr Shape reduce_max(In in, const Attributes& attributes, Message& why) {
  const Axes& a = std::get<Axes>(attributes);
  const std::optional<AxisSet> reduced = reduced_axes(a.axes, in[0].rank, why);
  if (!reduced) return {};
  if (reduces_nothing(in[0], *reduced)) return refuse(why, "no elements have no maximum");
  return without_axes(in[0], *reduced, a.keep_dims);
}

constexpr Shape reduce_max_grad(In in, const Attributes& attributes, Message& why) {
  const Shape reduced = reduce_max(in.first(1), attributes, why);
  if (why.empty() && !(agree(reduced, in[1]) && agree(reduced, in[2])))
    refuse(why, "y and upstream must have shape ", reduced);
  return in[0];
}

}  // namespace tenon::rule
