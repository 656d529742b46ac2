// What modes without strict bits are served with: the device's own mathematics and fused products.
#include "matrices.h"

using namespace tenon_metal;

namespace tenon_metal {

inline float fast_exp(float x) { return exp(x); }
inline float fast_log(float x) { return log(x); }
inline float fast_sin(float x) { return sin(x); }
inline float fast_cos(float x) { return cos(x); }
/// Metal's own is a NaN where exp overflows.
inline float fast_tanh(float x) { return tanh(x < -20.0f ? -20.0f : x > 20.0f ? 20.0f : x); }
inline float fast_sigmoid(float x) { return 1.0f / (1.0f + exp(-x)); }
/// log(1 + e) for e from 0 to 1; as e times a quotient that does not lose e's digits (Kahan).
inline float fast_log1p(float e) {
  const float above = 1.0f + e;
  return above == 1.0f ? e : log(above) * (e / (above - 1.0f));
}
inline float fast_softplus(float x) { return (x < 0.0f ? 0.0f : x) + fast_log1p(exp(-fabs(x))); }

/// e^(x^2) erfc(x) for x >= 0, within 1.2e-7 (Press et al., Numerical Recipes, "Error Function", erfccheb's forerunner).
inline float scaled_complement(float x) {
  const float t = 1.0f / (1.0f + 0.5f * x);
  float p = 0.17087277f;
  p = p * t - 0.82215223f;
  p = p * t + 1.48851587f;
  p = p * t - 1.13520398f;
  p = p * t + 0.27886807f;
  p = p * t - 0.18628806f;
  p = p * t + 0.09678418f;
  p = p * t + 0.37409196f;
  p = p * t + 1.00002368f;
  p = p * t - 1.26551223f;
  return t * exp(p);
}
/// erfc(x).
inline float complement(float x) {
  const float z = fabs(x), tail = z > 10.5f ? 0.0f : scaled_complement(z) * exp(-z * z);
  return x < 0.0f ? 2.0f - tail : x != x ? x : tail;
}
/// Near 0 its series, which the complement has not enough digits for.
inline float fast_erf(float x) {
  if (fabs(x) >= 0.5f || x != x) return 1.0f - complement(x);
  const float square = x * x;
  return x * (1.1283791671f +
              square * (-0.3761263890f + square * (0.1128379167f + square * (-0.0268661706f + square * 0.0052239776f))));
}
/// Down to -40, so that -infinity has its limit.
inline float fast_gelu(float x) {
  const float z = x < -40.0f ? -40.0f : x;
  return 0.5f * z * complement(-z * 0.70710678f);
}

}  // namespace tenon_metal

#define TENON_FAST(op)                                                                                   \
  kernel void fast_##op(device const uint* x [[buffer(0)]], device uint* result [[buffer(1)]],           \
                        constant Elementwise& shape [[buffer(2)]], TENON_THREAD) {                       \
    TENON_FOR_EACH_QUAD(i, shape.count) {                                                                \
      uint4 quad = load_quad(x, i, shape.count);                                                         \
      for (uint e = 0u; e < 4u; ++e) quad[e] = bits_of(fast_##op(float_of(quad[e])));                     \
      store_quad(result, i, shape.count, quad);                                                          \
    }                                                                                                    \
  }
TENON_FAST(exp)
TENON_FAST(log)
TENON_FAST(sin)
TENON_FAST(cos)
TENON_FAST(tanh)
TENON_FAST(sigmoid)
TENON_FAST(softplus)
TENON_FAST(erf)
TENON_FAST(gelu)

TENON_MATMUL(fast_matmul, tile, false)
TENON_MATMUL(fast_matmul_small, small_tile, false)
TENON_LINEAR(fast_linear, tile, false)
TENON_LINEAR(fast_linear_small, small_tile, false)
