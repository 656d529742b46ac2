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

/// e^(x^2) erfc(x) for x >= 0, within 1.2e-7 (Press et al., Numerical Recipes, "Error Function", erfccheb's
/// forerunner).
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
/// e^(-x^2): the square is cut in two, since its rounding would be the exponent's error.
inline float bell(float x) {
  const float head = float_of(bits_of(x) & 0xfffff000u);
  return exp(-head * head) * exp((head - x) * (head + x));
}
/// erfc(x).
inline float complement(float x) {
  const float z = fabs(x), tail = z > 10.5f ? 0.0f : scaled_complement(z) * bell(z);
  return x < 0.0f ? 2.0f - tail : x != x ? x : tail;
}
/// Near 0 its series, which the complement has not enough digits for.
inline float fast_erf(float x) {
  if (fabs(x) >= 0.5f || x != x) return 1.0f - complement(x);
  const float square = x * x;
  return x * (1.1283791671f +
              square * (-0.3761263890f +
                        square * (0.1128379167f +
                                  square * (-0.0268661706f + square * (0.0052239776f - square * 0.00085483270f)))));
}
/// Down to -40, so that -infinity has its limit.
inline float fast_gelu(float x) {
  const float z = x < -40.0f ? -40.0f : x;
  return 0.5f * z * complement(-z * 0.70710678f);
}

}  // namespace tenon_metal

#define TENON_FAST(op)                                                                         \
  kernel void fast_##op(device const uint* x [[buffer(0)]], device uint* result [[buffer(1)]], \
                        constant Elementwise& shape [[buffer(2)]], TENON_THREAD) {             \
    TENON_FOR_EACH_QUAD(i, shape.count) {                                                      \
      uint4 quad = load_quad(x, i, shape.count);                                               \
      for (uint e = 0u; e < 4u; ++e) quad[e] = bits_of(fast_##op(float_of(quad[e])));          \
      store_quad(result, i, shape.count, quad);                                                \
    }                                                                                          \
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

// -- rows: a SIMD-group for each, of whatever width ---------------------------------------------------------

// The rows of a threadgroup are dealt out to its SIMD-groups.
#define TENON_FAST_ROWS(row, count)                                                                       \
  for (uint row##_of_group = simdgroup_number; row##_of_group < teams; row##_of_group += simdgroup_count) \
    for (uint row = group_number * teams + row##_of_group; row < (count); row += group_count * teams)
#define TENON_FAST_THREAD                                                                                            \
  uint lane [[thread_index_in_simdgroup]], uint lane_count [[threads_per_simdgroup]],                                \
      uint simdgroup_number [[simdgroup_index_in_threadgroup]], uint simdgroup_count [[simdgroups_per_threadgroup]], \
      uint group_number [[threadgroup_position_in_grid]], uint group_count [[threadgroups_per_grid]]

namespace tenon_metal {

/// The greatest of a row, and the sum of exp(x - that). Metal's max leaves out a NaN; the sum does not.
struct Softmax {
  float most, sum;
};
inline Softmax softmax_of(device const float* x, uint n, uint lane, uint lane_count) {
  Softmax row;
  row.most = -INFINITY;
  for (uint i = lane; i < n; i += lane_count) row.most = max(row.most, x[i]);
  row.most = simd_max(row.most);
  row.sum = 0.0f;
  for (uint i = lane; i < n; i += lane_count) row.sum += exp(x[i] - row.most);
  row.sum = simd_sum(row.sum);
  return row;
}

}  // namespace tenon_metal

kernel void fast_softmax(device const float* x [[buffer(0)]], device float* result [[buffer(1)]],
                         constant Rows& shape [[buffer(2)]], TENON_FAST_THREAD) {
  TENON_FAST_ROWS(row, shape.count) {
    device const float* from = x + ulong(row) * shape.n;
    device float* to = result + ulong(row) * shape.n;
    const Softmax whole = softmax_of(from, shape.n, lane, lane_count);
    for (uint i = lane; i < shape.n; i += lane_count) to[i] = exp(from[i] - whole.most) / whole.sum;
  }
}

kernel void fast_log_softmax(device const float* x [[buffer(0)]], device float* result [[buffer(1)]],
                             constant Rows& shape [[buffer(2)]], TENON_FAST_THREAD) {
  TENON_FAST_ROWS(row, shape.count) {
    device const float* from = x + ulong(row) * shape.n;
    device float* to = result + ulong(row) * shape.n;
    const Softmax whole = softmax_of(from, shape.n, lane, lane_count);
    const float log_sum = log(whole.sum);
    for (uint i = lane; i < shape.n; i += lane_count) to[i] = (from[i] - whole.most) - log_sum;
  }
}
