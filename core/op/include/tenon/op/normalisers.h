// normalisers.h: every row becomes a distribution, or its logarithm; or mean and variance are brought to given ones.
#pragma once
#include "tenon/rule.h"

// clang-format off
#define TENON_NORMALISER_OPS(TENON_OP) \
  TENON_OP(softmax,     (x), (), (), NoAttributes, plain, "exp(x - m) / sum exp(x - m) over the last axis, m its maximum") \
  TENON_OP(log_softmax, (x), (), (), NoAttributes, plain, "(x - m) - log(sum exp(x - m)) over the last axis, m its maximum") \
  TENON_OP(hard_masked_softmax, (x, mask), (), (), NoAttributes, plain, "softmax over the last axis of the elements whose mask is not 0; the others are 0, as is every row without any; no gradient for mask") \
  TENON_OP(layer_norm, (x, weight, bias), (), (), Epsilon, plain, "(x - mean) / sqrt(variance + epsilon) * weight + bias, mean and population variance over the last axis") \
  TENON_OP(batch_norm, (x, mean, variance, weight, bias), (), (), Epsilon, plain, "(x - mean) / sqrt(variance + epsilon) * weight + bias, given for each channel: axis 1 of x")
// clang-format on

namespace tenon::rule {

constexpr Shape last_axis(In in, const Attributes&, Message& why) {
  return in[0].rank == 0 ? refuse(why, "a scalar has no last axis") : in[0];
}

constexpr Shape softmax(In in, const Attributes& a, Message& why) { return last_axis(in, a, why); }
constexpr Shape log_softmax(In in, const Attributes& a, Message& why) { return last_axis(in, a, why); }

constexpr Shape hard_masked_softmax(In in, const Attributes& a, Message& why) {
  const Shape out = last_axis(in, a, why);
  return why.empty() ? alike(in, a, why) : out;
}

/// x, whose axis `axis` has an element in each of the vectors that follow it.
constexpr Shape normalised(In in, int axis, std::string_view elements, const Attributes& attributes, Message& why) {
  if (!(std::get<Epsilon>(attributes).epsilon >= 0)) return refuse(why, "epsilon must be 0 or more");
  Shape out = in[0];
  for (const Shape& vector : in.subspan(1)) {
    if (vector.rank != 1) return refuse(why, "expected vectors of one number for each of the ", elements, " of x");
    if (!agree(out[axis], vector[0])) return refuse(why, "x has ", out[axis], " ", elements, ", found ", vector[0]);
    out[axis] = meet(out[axis], vector[0]);
  }
  return out;
}

constexpr Shape layer_norm(In in, const Attributes& a, Message& why) {
  const Shape out = last_axis(in, a, why);
  return why.empty() ? normalised(in, -1, "features", a, why) : out;
}

constexpr Shape batch_norm(In in, const Attributes& a, Message& why) {
  if (in[0].rank < 2) return refuse(why, "expected x of (batch, channels, ...)");
  return normalised(in, 1, "channels", a, why);
}

}  // namespace tenon::rule
