// Products of matrices: each element is a fold from +0 over ascending k, the product rounded, then added.
// entry matmul
// entry linear TRANSPOSED BIAS
// entry scores TRANSPOSED SCALE
#version 460
#extension GL_GOOGLE_include_directive : require
#include "tenon.glsl"

layout(push_constant) uniform Push {
  uint extents[6], left_strides[6], right_strides[6];  // the leading axes, and where an operand's matrix begins
  uint axes, rows, depth, columns;
  uint matrices;
#if defined(SCALE)
  real factor;
#endif
};
READS(0, left);
READS(1, right);
#if defined(BIAS)
READS(2, bias);
WRITES(3, result);
#else
WRITES(2, result);
#endif

void main() {
  FOR_EACH(i, matrices * rows * columns) {
    const uint column = i % columns, row = i / columns % rows;
    uint matrix = i / columns / rows, left_at = row * depth, right_at = 0u;
    for (uint axis = opaque(axes); axis-- > 0u;) {
      const uint place = matrix % extents[axis];
      matrix /= extents[axis];
      left_at += place * left_strides[axis];
      right_at += place * right_strides[axis];
    }
    real sum = real(0);
#if defined(TRANSPOSED)
    right_at += column * depth;
    for (uint k = 0u; k < opaque(depth); ++k) sum = sum + left[left_at + k] * right[right_at + k];
#else
    right_at += column;
    for (uint k = 0u; k < opaque(depth); ++k) sum = sum + left[left_at + k] * right[right_at + k * columns];
#endif
#if defined(BIAS)
    sum = sum + bias[column];
#elif defined(SCALE)
    sum = sum * factor;
#endif
    result[i] = sum;
  }
}
