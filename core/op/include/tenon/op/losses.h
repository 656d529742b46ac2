// losses.h: how far predictions are from targets, as one number.
#pragma once
#include "tenon/rule.h"

// clang-format off
#define TENON_LOSS_OPS(TENON_OP) \
  TENON_OP(mse_loss,      (prediction, target), (), (), NoAttributes, plain, "mean of the squares of prediction - target") \
  TENON_OP(cross_entropy, (logits), (labels), (), NoAttributes, plain, "mean over rows of -log softmax(logits)[label]") \
  TENON_OP(cross_entropy_grad, (logits, upstream), (labels), (), NoAttributes, internal, "(softmax(logits) - one at the label) * (upstream / rows)")
// clang-format on

namespace tenon::rule {

constexpr Shape mse_loss(In in, const Attributes&, Message& why) {
  if (!agree(in[0], in[1])) return refuse(why, "expected equal shapes");
  return {};
}

constexpr Shape cross_entropy(In in, const Attributes&, Message& why) {
  const Shape &logits = in[0], &labels = in[1];
  if (logits.rank == 0) return refuse(why, "logits need a class axis");
  if (!agree(logits.first(logits.rank - 1), labels)) return refuse(why, "expected one label per row of logits");
  return {};
}

constexpr Shape cross_entropy_grad(In in, const Attributes& attributes, Message& why) {
  const Shape operands[] = {in[0], in[2]};
  cross_entropy(operands, attributes, why);
  if (why.empty() && in[1].rank != 0) refuse(why, "upstream must be a scalar");
  return in[0];
}

}  // namespace tenon::rule
