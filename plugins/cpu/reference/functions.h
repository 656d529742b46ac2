// functions.h: elementwise operations that are IEEE 754's own, or choices among their operands: what the loops of every
// provider apply to the elements at one place. Their parameters are the operands.
//
// Pure functions; any thread.
#pragma once
#include "provider.h"

namespace tenon::cpu::reference {

template <class T>
struct Add {
  T operator()(T left, T right) const { return left + right; }
};
template <class T>
struct Sub {
  T operator()(T left, T right) const { return left - right; }
};
template <class T>
struct Mul {
  T operator()(T left, T right) const { return left * right; }
};
template <class T>
struct Div {
  T operator()(T left, T right) const { return left / right; }
};
template <class T>
struct Maximum {
  T operator()(T left, T right) const { return strict::maximum(left, right); }
};
template <class T>
struct Minimum {
  T operator()(T left, T right) const { return strict::minimum(left, right); }
};
template <class T>
struct Neg {
  T operator()(T x) const { return -x; }
};
template <class T>
struct Relu {
  T operator()(T x) const { return strict::relu(x); }
};
template <class T>
struct Sqrt {
  T operator()(T x) const { return strict::sqrt(x); }
};
template <class T>
struct Scale {
  static constexpr auto attributes = plugin::names("factor");
  explicit Scale(const SignatureView& signature) : factor(static_cast<T>(signature.real("factor", 1))) {}
  T operator()(T x) const { return x * factor; }
  T factor;
};
template <class T>
struct Abs {
  T operator()(T x) const { return x > 0 ? x : T(0) - x; }
};

// -- gradients ----------------------------------------------------------------------------------------------

struct Gradient {
  static constexpr bool differentiable = false;
};
template <class T>
struct MaximumGrad : Gradient {
  T operator()(T left, T right, T upstream) const {
    return left > right ? upstream : left == right ? upstream * T(0.5) : T(0);
  }
};
template <class T>
struct MinimumGrad : Gradient {
  T operator()(T left, T right, T upstream) const {
    return left < right ? upstream : left == right ? upstream * T(0.5) : T(0);
  }
};
template <class T>
struct ReluGrad : Gradient {
  T operator()(T x, T upstream) const { return x > 0 ? upstream : T(0); }
};
template <class T>
struct SigmoidGrad : Gradient {
  T operator()(T y, T upstream) const { return upstream * (y * (1 - y)); }
};
template <class T>
struct TanhGrad : Gradient {
  T operator()(T y, T upstream) const { return upstream * (1 - y * y); }
};
template <class T>
struct SqrtGrad : Gradient {
  T operator()(T y, T upstream) const { return y == 0 ? T(0) : upstream / (2 * y); }
};

}  // namespace tenon::cpu::reference
