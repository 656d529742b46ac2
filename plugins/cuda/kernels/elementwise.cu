// Elementwise operations: each result is a function of the elements at the same place, which is read before it is
// written, so that a result may take an operand's place.
#include "elementwise_functions.h"
#include "pack.h"

namespace tenon::gpu {
namespace {

template <class T, class Function, class... Packs>
TENON_DEVICE Pack<T> apply(const Function& function, const Packs&... operands) {
  Pack<T> result;
#pragma unroll
  for (unsigned i = 0; i < Pack<T>::width; ++i) result.at[i] = function(operands.at[i]...);
  return result;
}

template <class T, class Function, class... Operands>
TENON_DEVICE void map(const Function& function, std::uint64_t n, T* output, const Operands*... operands) {
  for_my_pack<T>(
      n, [&](std::uint64_t pack) { store_pack(output, pack, apply<T>(function, load_pack(operands, pack)...)); },
      [&](std::uint64_t i) { output[i] = function(operands[i]...); });
}

}  // namespace
}  // namespace tenon::gpu

using namespace tenon::gpu;

#define TENON_UNARY_OF(name, Function, T) \
  TENON_KERNEL(name, std::uint64_t n, T* output, const T* x) { map(Function<T>{}, n, output, x); }
#define TENON_BINARY_OF(name, Function, T)                                        \
  TENON_KERNEL(name, std::uint64_t n, T* output, const T* left, const T* right) { \
    map(Function<T>{}, n, output, left, right);                                   \
  }
#define TENON_TERNARY_OF(name, Function, T)                                                         \
  TENON_KERNEL(name, std::uint64_t n, T* output, const T* first, const T* second, const T* third) { \
    map(Function<T>{}, n, output, first, second, third);                                            \
  }
#define TENON_BOTH(Arity, name, Function) \
  TENON_##Arity##_OF(name##_f32, Function, float) TENON_##Arity##_OF(name##_f64, Function, double)

TENON_BOTH(UNARY, neg, Neg)
TENON_BOTH(UNARY, relu, Relu)
TENON_BOTH(UNARY, sigmoid, Sigmoid)
TENON_BOTH(UNARY, tanh, Tanh)
TENON_BOTH(UNARY, exp, Exp)
TENON_BOTH(UNARY, log, Log)
TENON_BOTH(UNARY, sqrt, Sqrt)
TENON_BOTH(UNARY, abs, Abs)
TENON_BOTH(UNARY, sign, Sign)
TENON_BOTH(UNARY, softplus, Softplus)
TENON_BOTH(UNARY, sin, Sin)
TENON_BOTH(UNARY, cos, Cos)
TENON_BOTH(UNARY, erf, Erf)
TENON_BOTH(UNARY, inv, Inv)
TENON_BOTH(UNARY, gelu, Gelu)
TENON_BOTH(UNARY, gelu_tanh, GeluTanh)

TENON_BOTH(BINARY, add, Add)
TENON_BOTH(BINARY, sub, Sub)
TENON_BOTH(BINARY, mul, Mul)
TENON_BOTH(BINARY, div, Div)
TENON_BOTH(BINARY, maximum, Maximum)
TENON_BOTH(BINARY, minimum, Minimum)
TENON_BOTH(BINARY, equal, Equal)
TENON_BOTH(BINARY, less, Less)
TENON_BOTH(BINARY, relu_grad, ReluGrad)
TENON_BOTH(BINARY, sigmoid_grad, SigmoidGrad)
TENON_BOTH(BINARY, tanh_grad, TanhGrad)
TENON_BOTH(BINARY, sqrt_grad, SqrtGrad)
TENON_BOTH(BINARY, gelu_grad, GeluGrad)
TENON_BOTH(BINARY, gelu_tanh_grad, GeluTanhGrad)
TENON_BOTH(BINARY, erf_grad, ErfGrad)

TENON_BOTH(TERNARY, where, Where)
TENON_BOTH(TERNARY, maximum_grad, MaximumGrad)
TENON_BOTH(TERNARY, minimum_grad, MinimumGrad)

// -- with attributes ----------------------------------------------------------------------------------------

#define TENON_ATTRIBUTED(T, suffix)                                                                             \
  TENON_KERNEL(scale_##suffix, std::uint64_t n, T* output, const T* x, T factor) {                              \
    map(Scale<T>{factor}, n, output, x);                                                                        \
  }                                                                                                             \
  TENON_KERNEL(safe_log_##suffix, std::uint64_t n, T* output, const T* x, T epsilon) {                          \
    map(SafeLog<T>{epsilon}, n, output, x);                                                                     \
  }                                                                                                             \
  TENON_KERNEL(clamp_##suffix, std::uint64_t n, T* output, const T* x, T low, T high) {                         \
    map(Clamp<T>{low, high}, n, output, x);                                                                     \
  }                                                                                                             \
  TENON_KERNEL(clamp_grad_##suffix, std::uint64_t n, T* output, const T* x, const T* upstream, T low, T high) { \
    map(ClampGrad<T>{low, high}, n, output, x, upstream);                                                       \
  }

TENON_ATTRIBUTED(float, f32)
TENON_ATTRIBUTED(double, f64)
