// elementwise.h: operations that treat every element alike. Operands have one shape: the recorder inserts broadcasts.
#pragma once
#include "tenon/rule.h"

// clang-format off
#define TENON_ELEMENTWISE_OPS(TENON_OP) \
  TENON_OP(add,     (left, right), (), (), NoAttributes, plain, "left + right") \
  TENON_OP(sub,     (left, right), (), (), NoAttributes, plain, "left - right") \
  TENON_OP(mul,     (left, right), (), (), NoAttributes, plain, "left * right") \
  TENON_OP(div,     (left, right), (), (), NoAttributes, plain, "left / right") \
  TENON_OP(maximum, (left, right), (), (), NoAttributes, plain, "the greater of two; NaN if either is; -0 < +0") \
  TENON_OP(minimum, (left, right), (), (), NoAttributes, plain, "the lesser of two; NaN if either is; -0 < +0") \
  TENON_OP(scale,   (x), (), (), Factor,       plain, "x * factor, the factor rounded to x's dtype first") \
  TENON_OP(neg,     (x), (), (), NoAttributes, plain, "-x") \
  TENON_OP(relu,    (x), (), (), NoAttributes, plain, "maximum(x, 0); NaN stays") \
  TENON_OP(sigmoid, (x), (), (), NoAttributes, plain, "1 / (1 + exp(-x))") \
  TENON_OP(tanh,    (x), (), (), NoAttributes, plain, "hyperbolic tangent") \
  TENON_OP(exp,     (x), (), (), NoAttributes, plain, "e to the power x") \
  TENON_OP(log,     (x), (), (), NoAttributes, plain, "natural logarithm; -inf at 0, NaN below") \
  TENON_OP(sqrt,    (x), (), (), NoAttributes, plain, "square root; NaN below 0") \
  TENON_OP(maximum_grad, (left, right, upstream), (), (), NoAttributes, internal, "upstream where left > right, half of it where equal, else 0: the gradient of maximum for left") \
  TENON_OP(minimum_grad, (left, right, upstream), (), (), NoAttributes, internal, "upstream where left < right, half of it where equal, else 0: the gradient of minimum for left") \
  TENON_OP(relu_grad,    (x, upstream), (), (), NoAttributes, internal, "upstream where x > 0, else 0") \
  TENON_OP(sigmoid_grad, (y, upstream), (), (), NoAttributes, internal, "upstream * (y * (1 - y)), y = sigmoid(x)") \
  TENON_OP(tanh_grad,    (y, upstream), (), (), NoAttributes, internal, "upstream * (1 - y * y), y = tanh(x)") \
  TENON_OP(sqrt_grad,    (y, upstream), (), (), NoAttributes, internal, "upstream / (2 * y), 0 where y = 0, y = sqrt(x)")
// clang-format on

namespace tenon::rule {

/// The shape to which both operands broadcast. Kernels see equal shapes: the recorder repeats operands first.
constexpr Shape two_operands(In in, const Attributes&, Message& why) { return broadcast_shape(in[0], in[1], why); }

constexpr Shape add(In in, const Attributes& a, Message& why) { return two_operands(in, a, why); }
constexpr Shape sub(In in, const Attributes& a, Message& why) { return two_operands(in, a, why); }
constexpr Shape mul(In in, const Attributes& a, Message& why) { return two_operands(in, a, why); }
constexpr Shape div(In in, const Attributes& a, Message& why) { return two_operands(in, a, why); }
constexpr Shape maximum(In in, const Attributes& a, Message& why) { return two_operands(in, a, why); }
constexpr Shape minimum(In in, const Attributes& a, Message& why) { return two_operands(in, a, why); }

constexpr Shape scale(In in, const Attributes&, Message&) { return in[0]; }
constexpr Shape neg(In in, const Attributes&, Message&) { return in[0]; }
constexpr Shape relu(In in, const Attributes&, Message&) { return in[0]; }
constexpr Shape sigmoid(In in, const Attributes&, Message&) { return in[0]; }
constexpr Shape tanh(In in, const Attributes&, Message&) { return in[0]; }
constexpr Shape exp(In in, const Attributes&, Message&) { return in[0]; }
constexpr Shape log(In in, const Attributes&, Message&) { return in[0]; }
constexpr Shape sqrt(In in, const Attributes&, Message&) { return in[0]; }

constexpr Shape maximum_grad(In in, const Attributes& a, Message& why) { return alike(in, a, why); }
constexpr Shape minimum_grad(In in, const Attributes& a, Message& why) { return alike(in, a, why); }
constexpr Shape relu_grad(In in, const Attributes& a, Message& why) { return alike(in, a, why); }
constexpr Shape sigmoid_grad(In in, const Attributes& a, Message& why) { return alike(in, a, why); }
constexpr Shape tanh_grad(In in, const Attributes& a, Message& why) { return alike(in, a, why); }
constexpr Shape sqrt_grad(In in, const Attributes& a, Message& why) { return alike(in, a, why); }

}  // namespace tenon::rule
