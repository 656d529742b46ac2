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
  TENON_OP(abs,     (x), (), (), NoAttributes, plain, "|x|; the gradient at 0 is 0") \
  TENON_OP(sign,    (x), (), (), NoAttributes, plain, "-1 below 0, 0 at 0, 1 above; NaN stays") \
  TENON_OP(clamp,   (x), (), (), Bounds,       plain, "minimum(maximum(x, low), high); NaN stays; the gradient passes from low to high, both included") \
  TENON_OP(gelu,    (x), (), (), GeluForm,     plain, "x (1 + erf(x / sqrt 2)) / 2, or with tanh its approximation x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))) / 2") \
  TENON_OP(softplus, (x), (), (), NoAttributes, plain, "log(1 + exp(x))") \
  TENON_OP(sin,     (x), (), (), NoAttributes, plain, "sine of x radians") \
  TENON_OP(cos,     (x), (), (), NoAttributes, plain, "cosine of x radians") \
  TENON_OP(erf,     (x), (), (), NoAttributes, plain, "error function") \
  TENON_OP(inv,     (x), (), (), NoAttributes, plain, "1 / x") \
  TENON_OP(safe_log, (x), (), (), LogEpsilon,  plain, "log(softplus(x) + epsilon)") \
  TENON_OP(equal,   (left, right), (), (), NoAttributes, plain, "1 where left = right, else 0; no gradient") \
  TENON_OP(less,    (left, right), (), (), NoAttributes, plain, "1 where left < right, else 0; no gradient") \
  TENON_OP(where,   (condition, left, right), (), (), NoAttributes, plain, "left where condition is not 0, else right; no gradient for condition") \
  TENON_OP(maximum_grad, (left, right, upstream), (), (), NoAttributes, internal, "upstream where left > right, half of it where equal, else 0: the gradient of maximum for left") \
  TENON_OP(minimum_grad, (left, right, upstream), (), (), NoAttributes, internal, "upstream where left < right, half of it where equal, else 0: the gradient of minimum for left") \
  TENON_OP(relu_grad,    (x, upstream), (), (), NoAttributes, internal, "upstream where x > 0, else 0") \
  TENON_OP(sigmoid_grad, (y, upstream), (), (), NoAttributes, internal, "upstream * (y * (1 - y)), y = sigmoid(x)") \
  TENON_OP(tanh_grad,    (y, upstream), (), (), NoAttributes, internal, "upstream * (1 - y * y), y = tanh(x)") \
  TENON_OP(sqrt_grad,    (y, upstream), (), (), NoAttributes, internal, "upstream / (2 * y), 0 where y = 0, y = sqrt(x)") \
  TENON_OP(clamp_grad,   (x, upstream), (), (), Bounds,       internal, "upstream where low <= x <= high, else 0") \
  TENON_OP(gelu_grad,    (x, upstream), (), (), GeluForm,     internal, "upstream * gelu'(x)") \
  TENON_OP(erf_grad,     (x, upstream), (), (), NoAttributes, internal, "upstream * (2 / sqrt(pi) * exp(-x * x))")
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

constexpr Shape abs(In in, const Attributes&, Message&) { return in[0]; }
constexpr Shape sign(In in, const Attributes&, Message&) { return in[0]; }
constexpr Shape gelu(In in, const Attributes&, Message&) { return in[0]; }
constexpr Shape softplus(In in, const Attributes&, Message&) { return in[0]; }
constexpr Shape sin(In in, const Attributes&, Message&) { return in[0]; }
constexpr Shape cos(In in, const Attributes&, Message&) { return in[0]; }
constexpr Shape erf(In in, const Attributes&, Message&) { return in[0]; }
constexpr Shape inv(In in, const Attributes&, Message&) { return in[0]; }

/// low above high is allowed, as in PyTorch: every result is high.
constexpr Shape clamp(In in, const Attributes& attributes, Message& why) {
  const Bounds& a = std::get<Bounds>(attributes);
  if (a.low != a.low || a.high != a.high) return refuse(why, "low and high must be numbers");
  return alike(in, attributes, why);
}

constexpr Shape safe_log(In in, const Attributes& attributes, Message& why) {
  if (!(std::get<LogEpsilon>(attributes).epsilon >= 0)) return refuse(why, "epsilon must be 0 or more");
  return in[0];
}

constexpr Shape equal(In in, const Attributes& a, Message& why) { return two_operands(in, a, why); }
constexpr Shape less(In in, const Attributes& a, Message& why) { return two_operands(in, a, why); }

constexpr Shape where(In in, const Attributes&, Message& why) {
  const Shape sides = broadcast_shape(in[1], in[2], why);
  return why.empty() ? broadcast_shape(in[0], sides, why) : Shape{};
}

constexpr Shape maximum_grad(In in, const Attributes& a, Message& why) { return alike(in, a, why); }
constexpr Shape minimum_grad(In in, const Attributes& a, Message& why) { return alike(in, a, why); }
constexpr Shape relu_grad(In in, const Attributes& a, Message& why) { return alike(in, a, why); }
constexpr Shape sigmoid_grad(In in, const Attributes& a, Message& why) { return alike(in, a, why); }
constexpr Shape tanh_grad(In in, const Attributes& a, Message& why) { return alike(in, a, why); }
constexpr Shape sqrt_grad(In in, const Attributes& a, Message& why) { return alike(in, a, why); }
constexpr Shape clamp_grad(In in, const Attributes& a, Message& why) { return clamp(in, a, why); }
constexpr Shape gelu_grad(In in, const Attributes& a, Message& why) { return alike(in, a, why); }
constexpr Shape erf_grad(In in, const Attributes& a, Message& why) { return alike(in, a, why); }

}  // namespace tenon::rule
