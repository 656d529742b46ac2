// elementwise_functions.h: the scalar expressions of the elementwise operations, one line of docs/numerics.md each.
// Their parameters are the operands, their members the attributes.
//
// Pure functions; any thread.
#pragma once
#include "tenon/numerics.h"

namespace tenon::gpu {

#define TENON_EXPRESSION(Name, parameters, expression)                   \
  template <class T>                                                     \
  struct Name {                                                          \
    TENON_DEVICE_FN T operator() parameters const { return expression; } \
  }

// -- of one element -----------------------------------------------------------------------------------------

TENON_EXPRESSION(Neg, (T x), -x);
TENON_EXPRESSION(Relu, (T x), strict::relu(x));
TENON_EXPRESSION(Sigmoid, (T x), strict::sigmoid(x));
TENON_EXPRESSION(Tanh, (T x), strict::tanh(x));
TENON_EXPRESSION(Exp, (T x), strict::exp(x));
TENON_EXPRESSION(Log, (T x), strict::log(x));
TENON_EXPRESSION(Sqrt, (T x), strict::sqrt(x));
TENON_EXPRESSION(Abs, (T x), x > 0 ? x : T(0) - x);
TENON_EXPRESSION(Sign, (T x), x > 0 ? T(1) : x < 0 ? T(-1) : x == 0 ? T(0) : x);
TENON_EXPRESSION(Softplus, (T x), strict::softplus(x));
TENON_EXPRESSION(Sin, (T x), strict::sin(x));
TENON_EXPRESSION(Cos, (T x), strict::cos(x));
TENON_EXPRESSION(Erf, (T x), strict::erf(x));
TENON_EXPRESSION(Inv, (T x), 1 / x);
TENON_EXPRESSION(Gelu, (T x), strict::gelu(x));

template <class T>
struct Scale {
  T factor;
  TENON_DEVICE_FN T operator()(T x) const { return x * factor; }
};

template <class T>
struct Clamp {
  T low, high;
  TENON_DEVICE_FN T operator()(T x) const { return strict::minimum(strict::maximum(x, low), high); }
};

template <class T>
struct SafeLog {
  T epsilon;
  TENON_DEVICE_FN T operator()(T x) const { return strict::log(strict::softplus(x) + epsilon); }
};

/// sqrt(2/pi) (x + 0.044715 x^3), doubled, and what it grows by: (1 + tanh(u)) / 2 is sigmoid(2u), which loses less.
template <class T>
struct GeluAngle {
  static constexpr T factor = T(0x1.9884533d43651p0), cubic = T(0.044715), growth = T(3 * 0.044715);
  TENON_DEVICE_FN static T at(T x) { return factor * (x + cubic * ((x * x) * x)); }
  TENON_DEVICE_FN static T slope(T x) { return factor * (1 + growth * (x * x)); }
};

template <class T>
struct GeluTanh {
  TENON_DEVICE_FN T operator()(T x) const {
    const T z = strict::maximum(x, T(-32));  // so that -infinity has its limit
    return z * strict::sigmoid(GeluAngle<T>::at(z));
  }
};

// -- of several ---------------------------------------------------------------------------------------------

TENON_EXPRESSION(Add, (T left, T right), left + right);
TENON_EXPRESSION(Sub, (T left, T right), left - right);
TENON_EXPRESSION(Mul, (T left, T right), left* right);
TENON_EXPRESSION(Div, (T left, T right), left / right);
TENON_EXPRESSION(Maximum, (T left, T right), strict::maximum(left, right));
TENON_EXPRESSION(Minimum, (T left, T right), strict::minimum(left, right));
TENON_EXPRESSION(Equal, (T left, T right), left == right ? T(1) : T(0));
TENON_EXPRESSION(Less, (T left, T right), left < right ? T(1) : T(0));
TENON_EXPRESSION(Where, (T condition, T left, T right), condition != 0 ? left : right);

// -- gradients ----------------------------------------------------------------------------------------------

TENON_EXPRESSION(MaximumGrad, (T left, T right, T upstream),
                 left > right    ? upstream
                 : left == right ? upstream * T(0.5)
                                 : T(0));
TENON_EXPRESSION(MinimumGrad, (T left, T right, T upstream),
                 left < right    ? upstream
                 : left == right ? upstream * T(0.5)
                                 : T(0));
TENON_EXPRESSION(ReluGrad, (T x, T upstream), x > 0 ? upstream : T(0));
TENON_EXPRESSION(SigmoidGrad, (T y, T upstream), upstream*(y*(1 - y)));
TENON_EXPRESSION(TanhGrad, (T y, T upstream), upstream*(1 - y * y));
TENON_EXPRESSION(SqrtGrad, (T y, T upstream), y == 0 ? T(0) : upstream / (2 * y));
TENON_EXPRESSION(GeluGrad, (T x, T upstream), upstream* strict::gelu_derivative(x));
TENON_EXPRESSION(ErfGrad, (T x, T upstream), upstream*(T(0x1.20dd750429b6dp0) * strict::exp(-(x * x))));  // 2/sqrt(pi)

template <class T>
struct ClampGrad {
  T low, high;
  TENON_DEVICE_FN T operator()(T x, T upstream) const { return low <= x && x <= high ? upstream : T(0); }
};

template <class T>
struct GeluTanhGrad {
  TENON_DEVICE_FN T operator()(T x, T upstream) const {
    const T z = strict::minimum(strict::maximum(x, T(-32)), T(32));
    const T s = strict::sigmoid(GeluAngle<T>::at(z));
    return upstream * (s + (z * (s * (1 - s))) * GeluAngle<T>::slope(z));
  }
};

#undef TENON_EXPRESSION

}  // namespace tenon::gpu
