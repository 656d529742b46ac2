// Elementwise operations: the expression of each is elementwise_<op> of sdk/include/tenon/elementwise.h, for four
// elements at a time.
#include "strict_error_function.h"
#include "strict_functions.h"
#include "strict_trigonometry.h"

// That header takes C++ for the host's, and Metal's language says that it is C++ too.
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wbuiltin-macro-redefined"
#pragma push_macro("__cplusplus")
#undef __cplusplus
#define TENON_ELEMENTWISE_FN inline
#define TENON_NUMBER(digits, wide_digits) real_from(float(digits))
#define real(x) real_from(x)
namespace tenon_metal {
#include "tenon/elementwise.h"
}  // namespace tenon_metal
#undef real
#pragma pop_macro("__cplusplus")
#pragma clang diagnostic pop

using namespace tenon_metal;

#define TENON_ATTRIBUTES_0
#define TENON_ATTRIBUTES_1 , real_from(shape.a)
#define TENON_ATTRIBUTES_2 , real_from(shape.a), real_from(shape.b)

#define TENON_UNARY(op, attributes)                                                                                    \
  kernel void elementwise_##op(device const uint* x [[buffer(0)]], device uint* result [[buffer(1)]],                  \
                               constant Elementwise& shape [[buffer(2)]], TENON_THREAD) {                              \
    TENON_FOR_EACH_QUAD(i, shape.count) {                                                                              \
      uint4 quad = load_quad(x, i, shape.count);                                                                       \
      for (uint e = 0u; e < 4u; ++e) quad[e] = bits(elementwise_##op(real_of(quad[e]) TENON_ATTRIBUTES_##attributes)); \
      store_quad(result, i, shape.count, quad);                                                                        \
    }                                                                                                                  \
  }
#define TENON_BINARY(op, attributes)                                                                          \
  kernel void elementwise_##op(device const uint* left [[buffer(0)]], device const uint* right [[buffer(1)]], \
                               device uint* result [[buffer(2)]], constant Elementwise& shape [[buffer(3)]],  \
                               TENON_THREAD) {                                                                \
    TENON_FOR_EACH_QUAD(i, shape.count) {                                                                     \
      uint4 quad = load_quad(left, i, shape.count);                                                           \
      const uint4 other = load_quad(right, i, shape.count);                                                   \
      for (uint e = 0u; e < 4u; ++e)                                                                          \
        quad[e] = bits(elementwise_##op(real_of(quad[e]), real_of(other[e]) TENON_ATTRIBUTES_##attributes));  \
      store_quad(result, i, shape.count, quad);                                                               \
    }                                                                                                         \
  }
#define TENON_TERNARY(op)                                                                                     \
  kernel void elementwise_##op(device const uint* first [[buffer(0)]], device const uint* left [[buffer(1)]], \
                               device const uint* right [[buffer(2)]], device uint* result [[buffer(3)]],     \
                               constant Elementwise& shape [[buffer(4)]], TENON_THREAD) {                     \
    TENON_FOR_EACH_QUAD(i, shape.count) {                                                                     \
      uint4 quad = load_quad(first, i, shape.count);                                                          \
      const uint4 other = load_quad(left, i, shape.count), third = load_quad(right, i, shape.count);          \
      for (uint e = 0u; e < 4u; ++e)                                                                          \
        quad[e] = bits(elementwise_##op(real_of(quad[e]), real_of(other[e]), real_of(third[e])));             \
      store_quad(result, i, shape.count, quad);                                                               \
    }                                                                                                         \
  }

TENON_BINARY(add, 0)
TENON_BINARY(sub, 0)
TENON_BINARY(mul, 0)
TENON_BINARY(div, 0)
TENON_BINARY(maximum, 0)
TENON_BINARY(minimum, 0)
TENON_BINARY(equal, 0)
TENON_BINARY(less, 0)
TENON_TERNARY(where)

TENON_UNARY(scale, 1)
TENON_UNARY(neg, 0)
TENON_UNARY(relu, 0)
TENON_UNARY(sqrt, 0)
TENON_UNARY(abs, 0)
TENON_UNARY(sign, 0)
TENON_UNARY(clamp, 2)
TENON_UNARY(inv, 0)

TENON_UNARY(sigmoid, 0)
TENON_UNARY(tanh, 0)
TENON_UNARY(exp, 0)
TENON_UNARY(log, 0)
TENON_UNARY(softplus, 0)
TENON_UNARY(sin, 0)
TENON_UNARY(cos, 0)
TENON_UNARY(erf, 0)
TENON_UNARY(gelu, 0)
TENON_UNARY(gelu_tanh, 0)
TENON_UNARY(safe_log, 1)

TENON_TERNARY(maximum_grad)
TENON_TERNARY(minimum_grad)
TENON_BINARY(relu_grad, 0)
TENON_BINARY(sigmoid_grad, 0)
TENON_BINARY(tanh_grad, 0)
TENON_BINARY(sqrt_grad, 0)
TENON_BINARY(clamp_grad, 2)
TENON_BINARY(gelu_grad, 0)
TENON_BINARY(gelu_tanh_grad, 0)
TENON_BINARY(erf_grad, 0)
