// What modes without strict bits are served with: the device's own mathematics and fused products.
#include "matrices.h"

using namespace tenon_metal;

namespace tenon_metal {

inline float fast_exp(float x) { return exp(x); }
inline float fast_log(float x) { return log(x); }
inline float fast_sin(float x) { return sin(x); }
inline float fast_cos(float x) { return cos(x); }
/// Clamped, since one that is made of exp is a NaN where that overflows.
inline float fast_tanh(float x) { return tanh(x < -20.0f ? -20.0f : x > 20.0f ? 20.0f : x); }
inline float fast_sigmoid(float x) { return 1.0f / (1.0f + exp(-x)); }
/// log(1 + e) for e from 0 to 1; as e times a quotient that does not lose e's digits (Kahan).
inline float fast_log1p(float e) {
  const float above = 1.0f + e;
  return above == 1.0f ? e : log(above) * (e / (above - 1.0f));
}
inline float fast_softplus(float x) { return (x < 0.0f ? 0.0f : x) + fast_log1p(exp(-fabs(x))); }

/// The upper tail of the normal distribution, Phi(-y) for 0 <= y <= 15, as exp(-y^2/2) N(t) / (y + 5) with
/// t = (y - 5) / (y + 5); N is a polynomial through Chebyshev's points, within 1.4e-7. The square is cut in two, since
/// its rounding would be the exponent's error.
inline float normal_tail(float y) {
  const float inverse = 1.0f / (y + 5.0f), t = (y - 5.0f) * inverse;
  float n = 0.000385924883f;
  n = n * t - 0.00101242715f;
  n = n * t - 0.00297730207f;
  n = n * t + 0.0208927207f;
  n = n * t - 0.0691063628f;
  n = n * t + 0.165004671f;
  n = n * t - 0.313535303f;
  n = n * t + 0.495306522f;
  n = n * t - 0.665382445f;
  n = n * t + 0.769193053f;
  const float head = float_of(bits_of(y) & 0xfffff000u);
  return exp(-0.5f * head * head) * exp(0.5f * (head - y) * (head + y)) * (n * inverse);
}
/// Near 0 its series, for which the tail has not enough digits.
inline float fast_erf(float x) {
  const float y = fabs(x);
  if (y < 0.5f) {
    const float square = x * x;
    float p = -0.00085483270f;
    p = p * square + 0.0052239776f;
    p = p * square - 0.0268661706f;
    p = p * square + 0.1128379167f;
    p = p * square - 0.3761263890f;
    return x * (p * square + 1.1283791671f);
  }
  const float magnitude = 1.0f - 2.0f * normal_tail(y > 10.0f ? 14.1421356f : y * 1.4142135f);
  return x < 0.0f ? -magnitude : magnitude;
}
inline float fast_gelu(float x) {
  const float z = x < -15.0f ? -15.0f : x > 15.0f ? 15.0f : x;
  const float lower = z * normal_tail(fabs(z));
  return x > 0.0f ? x - lower : lower;
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
