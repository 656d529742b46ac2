// Elementwise operations: each result is a function of the elements at the same place.
#include "map.h"
#include "tenon/elementwise.h"

using namespace tenon::gpu;
using namespace tenon::elementwise;

// Each kernel is named like its operation, and calls elementwise_<name> of tenon/elementwise.h.

#define TENON_UNARY_OF(name, T, suffix)                                   \
  TENON_KERNEL(name##_##suffix, std::uint64_t n, T* output, const T* x) { \
    map([](T value) { return elementwise_##name(value); }, n, output, x); \
  }
#define TENON_BINARY_OF(name, T, suffix)                                                       \
  TENON_KERNEL(name##_##suffix, std::uint64_t n, T* output, const T* first, const T* second) { \
    map([](T a, T b) { return elementwise_##name(a, b); }, n, output, first, second);          \
  }
#define TENON_TERNARY_OF(name, T, suffix)                                                                      \
  TENON_KERNEL(name##_##suffix, std::uint64_t n, T* output, const T* first, const T* second, const T* third) { \
    map([](T a, T b, T c) { return elementwise_##name(a, b, c); }, n, output, first, second, third);           \
  }
#define TENON_BOTH(Arity, name) TENON_##Arity##_OF(name, float, f32) TENON_##Arity##_OF(name, double, f64)

TENON_BOTH(UNARY, neg)
TENON_BOTH(UNARY, relu)
TENON_BOTH(UNARY, sigmoid)
TENON_BOTH(UNARY, tanh)
TENON_BOTH(UNARY, exp)
TENON_BOTH(UNARY, log)
TENON_BOTH(UNARY, sqrt)
TENON_BOTH(UNARY, abs)
TENON_BOTH(UNARY, sign)
TENON_BOTH(UNARY, softplus)
TENON_BOTH(UNARY, sin)
TENON_BOTH(UNARY, cos)
TENON_BOTH(UNARY, erf)
TENON_BOTH(UNARY, inv)
TENON_BOTH(UNARY, gelu)
TENON_BOTH(UNARY, gelu_tanh)

TENON_BOTH(BINARY, add)
TENON_BOTH(BINARY, sub)
TENON_BOTH(BINARY, mul)
TENON_BOTH(BINARY, div)
TENON_BOTH(BINARY, maximum)
TENON_BOTH(BINARY, minimum)
TENON_BOTH(BINARY, equal)
TENON_BOTH(BINARY, less)
TENON_BOTH(BINARY, relu_grad)
TENON_BOTH(BINARY, sigmoid_grad)
TENON_BOTH(BINARY, tanh_grad)
TENON_BOTH(BINARY, sqrt_grad)
TENON_BOTH(BINARY, gelu_grad)
TENON_BOTH(BINARY, gelu_tanh_grad)
TENON_BOTH(BINARY, erf_grad)

TENON_BOTH(TERNARY, where)
TENON_BOTH(TERNARY, maximum_grad)
TENON_BOTH(TERNARY, minimum_grad)

// -- with attributes ----------------------------------------------------------------------------------------

#define TENON_ATTRIBUTED(T, suffix)                                                                                 \
  TENON_KERNEL(scale_##suffix, std::uint64_t n, T* output, const T* x, T factor) {                                  \
    map([=](T value) { return elementwise_scale(value, factor); }, n, output, x);                                   \
  }                                                                                                                 \
  TENON_KERNEL(safe_log_##suffix, std::uint64_t n, T* output, const T* x, T epsilon) {                              \
    map([=](T value) { return elementwise_safe_log(value, epsilon); }, n, output, x);                               \
  }                                                                                                                 \
  TENON_KERNEL(clamp_##suffix, std::uint64_t n, T* output, const T* x, T low, T high) {                             \
    map([=](T value) { return elementwise_clamp(value, low, high); }, n, output, x);                                \
  }                                                                                                                 \
  TENON_KERNEL(clamp_grad_##suffix, std::uint64_t n, T* output, const T* x, const T* upstream, T low, T high) {     \
    map([=](T value, T above) { return elementwise_clamp_grad(value, above, low, high); }, n, output, x, upstream); \
  }

TENON_ATTRIBUTED(float, f32)
TENON_ATTRIBUTED(double, f64)
