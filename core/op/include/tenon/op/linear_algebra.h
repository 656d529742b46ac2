// linear_algebra.h: products of matrices.
#pragma once
#include "tenon/rule.h"

// clang-format off
#define TENON_LINEAR_ALGEBRA_OPS(TENON_OP) \
  TENON_OP(matmul, (left, right),      (), (), NoAttributes, plain, "(..., m, k) by (..., k, n) is (..., m, n); leading axes broadcast") \
  TENON_OP(linear, (x, weight, bias),  (), (), NoAttributes, plain, "x times weight transposed, plus bias: (..., in), (out, in), (out) is (..., out)")
// clang-format on

namespace tenon::rule {

constexpr Shape matmul(In in, const Attributes&, Message& why) {
  const Shape &left = in[0], &right = in[1];
  if (left.rank < 2 || right.rank < 2) return refuse(why, "both operands need rank 2 or more");
  if (!agree(left[-1], right[-2])) return refuse(why, "inner extents ", left[-1], " and ", right[-2], " differ");
  const Shape leading = broadcast_shape(left.first(left.rank - 2), right.first(right.rank - 2), why);
  return leading + Shape{left[-2], right[-1]};
}

constexpr Shape linear(In in, const Attributes&, Message& why) {
  const Shape &x = in[0], &weight = in[1], &bias = in[2];
  if (x.rank == 0 || weight.rank != 2 || bias.rank != 1) return refuse(why, "expected (..., in), (out, in), (out)");
  if (!agree(x[-1], weight[1])) return refuse(why, "x has ", x[-1], " features, weight takes ", weight[1]);
  if (!agree(weight[0], bias[0])) return refuse(why, "weight gives ", weight[0], " features, bias has ", bias[0]);
  return x.first(x.rank - 1) + Shape{meet(weight[0], bias[0])};
}

}  // namespace tenon::rule
