// Elementwise operations: the expression of each is elementwise_<entry> of sdk/include/tenon/elementwise.h.
// entry add OPERANDS=2
// entry sub OPERANDS=2
// entry mul OPERANDS=2
// entry div OPERANDS=2
// entry maximum OPERANDS=2
// entry minimum OPERANDS=2
// entry scale OPERANDS=1 PARAMETERS=1
// entry neg OPERANDS=1
// entry relu OPERANDS=1
// entry sqrt OPERANDS=1
// entry abs OPERANDS=1
// entry sign OPERANDS=1
// entry clamp OPERANDS=1 PARAMETERS=2
// entry inv OPERANDS=1
// entry equal OPERANDS=2
// entry less OPERANDS=2
// entry where OPERANDS=3
// entry sigmoid OPERANDS=1
// entry tanh OPERANDS=1
// entry exp OPERANDS=1
// entry log OPERANDS=1
// entry softplus OPERANDS=1
// entry sin OPERANDS=1
// entry cos OPERANDS=1
// entry erf OPERANDS=1
// entry gelu OPERANDS=1
// entry gelu_tanh OPERANDS=1
// entry safe_log OPERANDS=1 PARAMETERS=1
// entry maximum_grad OPERANDS=3
// entry minimum_grad OPERANDS=3
// entry relu_grad OPERANDS=2
// entry sigmoid_grad OPERANDS=2
// entry tanh_grad OPERANDS=2
// entry sqrt_grad OPERANDS=2
// entry clamp_grad OPERANDS=2 PARAMETERS=2
// entry gelu_grad OPERANDS=2
// entry gelu_tanh_grad OPERANDS=2
// entry erf_grad OPERANDS=2
#version 460
#extension GL_GOOGLE_include_directive : require
#include "tenon.glsl"
#include "strict.glsl"

#define TENON_ELEMENTWISE_FN
#define TENON_NUMBER(digits, wide_digits) real(wide_digits)
#include "elementwise.h"

layout(push_constant) uniform Push {
  uint count;
#if defined(PARAMETERS)
  real a, b;
#endif
};

#if OPERANDS == 1
READS(0, x);
WRITES(1, result);
#define ELEMENTS(i) x[i]
#elif OPERANDS == 2
READS(0, left);
READS(1, right);
WRITES(2, result);
#define ELEMENTS(i) left[i], right[i]
#else
READS(0, first);
READS(1, left);
READS(2, right);
WRITES(3, result);
#define ELEMENTS(i) first[i], left[i], right[i]
#endif

#define JOIN(a, b) a##b
#define CALL(entry) JOIN(elementwise_, entry)

void main() {
  FOR_EACH(i, count) {
#if !defined(PARAMETERS)
    result[i] = CALL(ENTRY)(ELEMENTS(i));
#elif PARAMETERS == 1
    result[i] = CALL(ENTRY)(ELEMENTS(i), a);
#else
    result[i] = CALL(ENTRY)(ELEMENTS(i), a, b);
#endif
  }
}
