// elementwise.h: what elementwise operations do to the elements at one place, as docs/numerics.md has it, written once
// in what C++, CUDA, HIP, GLSL and MSL have in common.
//
// Whoever includes this brings the element type, the marker of a function, and the strict functions:
//
//   C++, CUDA, HIP   nothing to do: functions are templates of namespace tenon::elementwise, over tenon::strict
//   GLSL, MSL        a type or macro `real`; the functions strict_exp, strict_log, strict_tanh, strict_sigmoid,
//                    strict_softplus, strict_gelu, strict_gelu_derivative, strict_sin, strict_cos, strict_erf,
//                    strict_sqrt, strict_maximum, strict_minimum, strict_relu and divide_strictly of it; is_nan;
//                    TENON_NUMBER(digits, digitsLF), the number rounded to `real`, twice since GLSL alone marks
//                    binary64; TENON_ELEMENTWISE_FN, the marker
//
// An operation X is elementwise_X(operands..., attributes...). Each + - * is rounded by itself: compile without
// contraction. Pure functions; any thread.
#ifndef TENON_ELEMENTWISE_H
#define TENON_ELEMENTWISE_H

#ifdef __cplusplus
#include "tenon/numerics.h"

#define TENON_ELEMENTWISE_FN \
  template <class real>      \
  TENON_DEVICE_FN
#define TENON_NUMBER(digits, wide_digits) real(digits)

namespace tenon::elementwise {

#define TENON_ELEMENTWISE_STRICT(name)         \
  template <class real>                        \
  TENON_DEVICE_FN real strict_##name(real x) { \
    return strict::name(x);                    \
  }
TENON_ELEMENTWISE_STRICT(exp)
TENON_ELEMENTWISE_STRICT(log)
TENON_ELEMENTWISE_STRICT(tanh)
TENON_ELEMENTWISE_STRICT(sigmoid)
TENON_ELEMENTWISE_STRICT(softplus)
TENON_ELEMENTWISE_STRICT(gelu)
TENON_ELEMENTWISE_STRICT(gelu_derivative)
TENON_ELEMENTWISE_STRICT(sin)
TENON_ELEMENTWISE_STRICT(cos)
TENON_ELEMENTWISE_STRICT(erf)
TENON_ELEMENTWISE_STRICT(sqrt)
TENON_ELEMENTWISE_STRICT(relu)
#undef TENON_ELEMENTWISE_STRICT

template <class real>
TENON_DEVICE_FN real strict_maximum(real a, real b) {
  return strict::maximum(a, b);
}
template <class real>
TENON_DEVICE_FN real strict_minimum(real a, real b) {
  return strict::minimum(a, b);
}
template <class real>
TENON_DEVICE_FN real divide_strictly(real a, real b) {
  return a / b;
}
#endif

// -- arithmetic and choices ---------------------------------------------------------------------------------

TENON_ELEMENTWISE_FN real elementwise_add(real left, real right) { return left + right; }
TENON_ELEMENTWISE_FN real elementwise_sub(real left, real right) { return left - right; }
TENON_ELEMENTWISE_FN real elementwise_mul(real left, real right) { return left * right; }
TENON_ELEMENTWISE_FN real elementwise_div(real left, real right) { return divide_strictly(left, right); }
TENON_ELEMENTWISE_FN real elementwise_maximum(real left, real right) { return strict_maximum(left, right); }
TENON_ELEMENTWISE_FN real elementwise_minimum(real left, real right) { return strict_minimum(left, right); }
TENON_ELEMENTWISE_FN real elementwise_scale(real x, real factor) { return x * factor; }
TENON_ELEMENTWISE_FN real elementwise_neg(real x) { return -x; }
TENON_ELEMENTWISE_FN real elementwise_relu(real x) { return strict_relu(x); }
TENON_ELEMENTWISE_FN real elementwise_sqrt(real x) { return strict_sqrt(x); }
TENON_ELEMENTWISE_FN real elementwise_abs(real x) {
  return x < real(0) ? -x : x == real(0) ? real(0) : x;  // 0 - x would do, but for drivers that make it -x
}
TENON_ELEMENTWISE_FN real elementwise_sign(real x) {
  return x > real(0) ? real(1) : x < real(0) ? real(-1) : x == real(0) ? real(0) : x;
}
TENON_ELEMENTWISE_FN real elementwise_clamp(real x, real low, real high) {
  return strict_minimum(strict_maximum(x, low), high);
}
TENON_ELEMENTWISE_FN real elementwise_inv(real x) { return divide_strictly(real(1), x); }
TENON_ELEMENTWISE_FN real elementwise_equal(real left, real right) { return left == right ? real(1) : real(0); }
TENON_ELEMENTWISE_FN real elementwise_less(real left, real right) { return left < right ? real(1) : real(0); }
TENON_ELEMENTWISE_FN real elementwise_where(real condition, real left, real right) {
  return condition != real(0) ? left : right;
}

// -- functions ----------------------------------------------------------------------------------------------

TENON_ELEMENTWISE_FN real elementwise_sigmoid(real x) { return strict_sigmoid(x); }
TENON_ELEMENTWISE_FN real elementwise_tanh(real x) { return strict_tanh(x); }
TENON_ELEMENTWISE_FN real elementwise_exp(real x) { return strict_exp(x); }
TENON_ELEMENTWISE_FN real elementwise_log(real x) { return strict_log(x); }
TENON_ELEMENTWISE_FN real elementwise_softplus(real x) { return strict_softplus(x); }
TENON_ELEMENTWISE_FN real elementwise_sin(real x) { return strict_sin(x); }
TENON_ELEMENTWISE_FN real elementwise_cos(real x) { return strict_cos(x); }
TENON_ELEMENTWISE_FN real elementwise_erf(real x) { return strict_erf(x); }
TENON_ELEMENTWISE_FN real elementwise_gelu(real x) { return strict_gelu(x); }
TENON_ELEMENTWISE_FN real elementwise_safe_log(real x, real epsilon) {
  return strict_log(strict_softplus(x) + epsilon);
}

// 2 sqrt(2/pi) (x + 0.044715 x^3), and its slope.
TENON_ELEMENTWISE_FN real gelu_angle(real x) {
  return TENON_NUMBER(1.5957691216057308, 1.5957691216057308LF) *
         (x + TENON_NUMBER(0.044715, 0.044715LF) * ((x * x) * x));
}
TENON_ELEMENTWISE_FN real gelu_angle_slope(real x) {
  return TENON_NUMBER(1.5957691216057308, 1.5957691216057308LF) *
         (real(1) + TENON_NUMBER(0.134145, 0.134145LF) * (x * x));
}
TENON_ELEMENTWISE_FN real elementwise_gelu_tanh(real x) {
  const real z = strict_maximum(x, real(-32));  // so that -infinity has its limit
  return z * strict_sigmoid(gelu_angle(z));
}

// -- gradients ----------------------------------------------------------------------------------------------

TENON_ELEMENTWISE_FN real elementwise_maximum_grad(real left, real right, real upstream) {
  return left > right ? upstream : left == right ? upstream * real(0.5) : real(0);
}
TENON_ELEMENTWISE_FN real elementwise_minimum_grad(real left, real right, real upstream) {
  return left < right ? upstream : left == right ? upstream * real(0.5) : real(0);
}
TENON_ELEMENTWISE_FN real elementwise_relu_grad(real x, real upstream) { return x > real(0) ? upstream : real(0); }
TENON_ELEMENTWISE_FN real elementwise_sigmoid_grad(real y, real upstream) { return upstream * (y * (real(1) - y)); }
TENON_ELEMENTWISE_FN real elementwise_tanh_grad(real y, real upstream) { return upstream * (real(1) - y * y); }
TENON_ELEMENTWISE_FN real elementwise_sqrt_grad(real y, real upstream) {
  return y == real(0) ? real(0) : divide_strictly(upstream, real(2) * y);
}
TENON_ELEMENTWISE_FN real elementwise_clamp_grad(real x, real upstream, real low, real high) {
  return low <= x && x <= high ? upstream : real(0);
}
TENON_ELEMENTWISE_FN real elementwise_gelu_grad(real x, real upstream) { return upstream * strict_gelu_derivative(x); }
TENON_ELEMENTWISE_FN real elementwise_gelu_tanh_grad(real x, real upstream) {
  const real z = strict_minimum(strict_maximum(x, real(-32)), real(32));
  const real s = strict_sigmoid(gelu_angle(z));
  return upstream * (s + (z * (s * (real(1) - s))) * gelu_angle_slope(z));
}
TENON_ELEMENTWISE_FN real elementwise_erf_grad(real x, real upstream) {
  return upstream * (TENON_NUMBER(1.1283791670955126, 1.1283791670955126LF) * strict_exp(-(x * x)));
}

#ifdef __cplusplus
}  // namespace tenon::elementwise
#endif

#endif  // TENON_ELEMENTWISE_H
