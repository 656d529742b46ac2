// What is done to rows along the last axis, one invocation for each.
// entry softmax ENTRY_SOFTMAX
// entry log_softmax ENTRY_LOG_SOFTMAX
// entry softmax_vjp ENTRY_SOFTMAX_VJP
// entry log_softmax_vjp ENTRY_LOG_SOFTMAX_VJP
// entry masked_softmax ENTRY_MASKED_SOFTMAX
// entry layer_norm ENTRY_LAYER_NORM
// entry cross_entropy ENTRY_CROSS_ENTROPY
// entry cross_entropy_grad ENTRY_CROSS_ENTROPY_GRAD
#version 460
#extension GL_GOOGLE_include_directive : require
#include "tenon.glsl"
#include "strict.glsl"

layout(push_constant) uniform Push {
#if defined(ENTRY_MASKED_SOFTMAX)
  uint extents[8], strides[8];  // where the matrix of a mask begins
  uint axes, rows_per_matrix;
#endif
  uint count, n;  // rows and their length
  real parameter;
};

#define GREATEST(m, base)                                                 \
  real m = x[base];                                                       \
  for (uint i = 1u; i < opaque(n); ++i) m = strict_maximum(m, x[base + i])

#if defined(ENTRY_SOFTMAX)
READS(0, x);
WRITES(1, result);
#define AT(i) result[base + (i)]
void main() {
  FOR_EACH(row, count) {
    const uint base = row * n;
    GREATEST(m, base);
    for (uint i = 0u; i < opaque(n); ++i) result[base + i] = strict_exp(x[base + i] - m);
    real sum = real(0);
    TREE_SUM(sum, n, AT)
    for (uint i = 0u; i < opaque(n); ++i) result[base + i] = divide_strictly(result[base + i], sum);
  }
}

#elif defined(ENTRY_LOG_SOFTMAX)
READS(0, x);
WRITES(1, result);
#define AT(i) strict_exp(x[base + (i)] - m)
void main() {
  FOR_EACH(row, count) {
    const uint base = row * n;
    GREATEST(m, base);
    real sum = real(0);
    TREE_SUM(sum, n, AT)
    const real log_sum = strict_log(sum);
    for (uint i = 0u; i < opaque(n); ++i) result[base + i] = (x[base + i] - m) - log_sum;
  }
}

#elif defined(ENTRY_SOFTMAX_VJP)
READS(0, y);
READS(1, upstream);
WRITES(2, result);
#define AT(i) upstream[base + (i)] * y[base + (i)]
void main() {
  FOR_EACH(row, count) {
    const uint base = row * n;
    real sum = real(0);
    TREE_SUM(sum, n, AT)
    for (uint i = 0u; i < opaque(n); ++i) result[base + i] = y[base + i] * (upstream[base + i] - sum);
  }
}

#elif defined(ENTRY_LOG_SOFTMAX_VJP)
READS(0, y);
READS(1, upstream);
WRITES(2, result);
#define AT(i) upstream[base + (i)]
void main() {
  FOR_EACH(row, count) {
    const uint base = row * n;
    real sum = real(0);
    TREE_SUM(sum, n, AT)
    for (uint i = 0u; i < opaque(n); ++i) result[base + i] = upstream[base + i] - strict_exp(y[base + i]) * sum;
  }
}

#elif defined(ENTRY_MASKED_SOFTMAX)
#include "walk.glsl"
READS(0, x);
READS(1, mask);
WRITES(2, result);
#define AT(i) result[base + (i)]
void main() {
  FOR_EACH(row, count) {
    const uint base = row * n, mask_base = walk(row / rows_per_matrix, 0u, axes) + row % rows_per_matrix * n;
    real m = -real(kInfinity);
    for (uint i = 0u; i < opaque(n); ++i) {
      if (mask[mask_base + i] != real(0)) m = strict_maximum(m, x[base + i]);
    }
    for (uint i = 0u; i < opaque(n); ++i)
      result[base + i] = mask[mask_base + i] != real(0) ? strict_exp(x[base + i] - m) : real(0);
    real sum = real(0);
    TREE_SUM(sum, n, AT)
    for (uint i = 0u; i < opaque(n); ++i) {
      const real e = result[base + i];
      result[base + i] = e == real(0) ? real(0) : divide_strictly(e, sum);
    }
  }
}

#elif defined(ENTRY_LAYER_NORM)
READS(0, x);
READS(1, weight);
READS(2, bias);
WRITES(3, result);
#define AT(i) x[base + (i)]
#define SQUARE(i) (x[base + (i)] - mean) * (x[base + (i)] - mean)
void main() {
  FOR_EACH(row, count) {
    const uint base = row * n;
    real sum = real(0);
    TREE_SUM(sum, n, AT)
    const real mean = divide_strictly(sum, real(n));
    TREE_SUM(sum, n, SQUARE)
    const real deviation = strict_sqrt(divide_strictly(sum, real(n)) + parameter);
    for (uint i = 0u; i < opaque(n); ++i)
      result[base + i] = divide_strictly(x[base + i] - mean, deviation) * weight[i] + bias[i];
  }
}

#elif defined(ENTRY_CROSS_ENTROPY)
READS(0, x);
READS_NUMBERS(1, labels);
WRITES(2, result);
#define AT(i) strict_exp(x[base + (i)] - m)
void main() {
  FOR_EACH(row, count) {
    const uint base = row * n, label = labels[row];
    GREATEST(m, base);
    real sum = real(0);
    TREE_SUM(sum, n, AT)
    result[row] = label < n ? -((x[base + label] - m) - strict_log(sum)) : real(kNaN);
  }
}

#else
READS(0, x);
READS(1, upstream);
READS_NUMBERS(2, labels);
WRITES(3, result);
#define AT(i) result[base + (i)]
void main() {
  FOR_EACH(row, count) {
    const uint base = row * n, label = labels[row];
    const real share = divide_strictly(upstream[0], parameter);
    GREATEST(m, base);
    for (uint i = 0u; i < opaque(n); ++i) result[base + i] = strict_exp(x[base + i] - m);
    real sum = real(0);
    TREE_SUM(sum, n, AT)
    for (uint i = 0u; i < opaque(n); ++i) {
      real p = divide_strictly(result[base + i], sum);
      if (i == label) p = p - real(1);
      result[base + i] = p * share;
    }
  }
}
#endif
