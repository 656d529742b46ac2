// normalisers.h: every row becomes a distribution, or its logarithm.
#pragma once
#include "tenon/rule.h"

// clang-format off
#define TENON_NORMALISER_OPS(TENON_OP) \
  TENON_OP(softmax,     (x), (), (), NoAttributes, plain, "exp(x - m) / sum exp(x - m) over the last axis, m its maximum") \
  TENON_OP(log_softmax, (x), (), (), NoAttributes, plain, "(x - m) - log(sum exp(x - m)) over the last axis, m its maximum")
// clang-format on

namespace tenon::rule {

constexpr Shape last_axis(In in, const Attributes&, Message& why) {
  return in[0].rank == 0 ? refuse(why, "a scalar has no last axis") : in[0];
}

constexpr Shape softmax(In in, const Attributes& a, Message& why) { return last_axis(in, a, why); }
constexpr Shape log_softmax(In in, const Attributes& a, Message& why) { return last_axis(in, a, why); }

}  // namespace tenon::rule
