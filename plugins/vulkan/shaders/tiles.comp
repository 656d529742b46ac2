// Products of matrices whose extents are multiples of a tile's: each invocation folds a tile of ROWS rows and COLUMNS
// vectors of four columns, and reads vectors along k. Every element is still its own fold in ascending order of k.
// entry matmul
// entry linear TRANSPOSED
#version 460
#extension GL_GOOGLE_include_directive : require
#include "tenon.glsl"

#if REAL_BITS == 64
#define real4 dvec4
#else
#define real4 vec4
#endif

layout(push_constant) uniform Push {
  uint extents[6], left_strides[6], right_strides[6];  // the leading axes, and where an operand's matrix begins
  uint axes, rows, depth, columns;
  uint matrices;
};
layout(std430, set = 0, binding = 0) readonly buffer Buffer0 { real4 left[]; };
layout(std430, set = 0, binding = 1) readonly buffer Buffer1 { real4 right[]; };
#if defined(TRANSPOSED)
layout(std430, set = 0, binding = 2) readonly buffer Buffer2 { real4 bias[]; };
layout(std430, set = 0, binding = 3) buffer Buffer3 { real4 result[]; };
#else
layout(std430, set = 0, binding = 2) buffer Buffer2 { real4 result[]; };
#endif

layout(constant_id = 1) const uint ROWS = 4u;
layout(constant_id = 2) const uint COLUMNS = 2u;  // vectors

void main() {
  const uint width = columns / 4u, depth4 = depth / 4u;
  const uint tile_columns = width / COLUMNS, tile_rows = rows / ROWS;
  FOR_EACH(i, matrices * tile_rows * tile_columns) {
    const uint column = i % tile_columns * COLUMNS, row = i / tile_columns % tile_rows * ROWS;
    const uint matrix_number = i / tile_columns / tile_rows;
    uint matrix = matrix_number, left_at = 0u, right_at = 0u;
    for (uint axis = opaque(axes); axis-- > 0u;) {
      const uint at = matrix % extents[axis];
      matrix /= extents[axis];
      left_at += at * left_strides[axis];
      right_at += at * right_strides[axis];
    }
    left_at = left_at / 4u + row * depth4;
    right_at = right_at / 4u;
    real4 sums[ROWS][COLUMNS];
    for (uint r = 0u; r < ROWS; ++r)
      for (uint c = 0u; c < COLUMNS; ++c) sums[r][c] = real4(0);
    for (uint k = 0u; k < opaque(depth4); ++k) {
      real4 l[ROWS];
      for (uint r = 0u; r < ROWS; ++r) l[r] = left[left_at + r * depth4 + k];
#if defined(TRANSPOSED)
      for (uint c = 0u; c < COLUMNS; ++c) {
        const uint from = right_at + (column + c) * 4u * depth4 + k;
        const real4 w0 = right[from], w1 = right[from + depth4], w2 = right[from + 2u * depth4],
                    w3 = right[from + 3u * depth4];
        for (uint r = 0u; r < ROWS; ++r) {
          for (uint e = 0u; e < 4u; ++e)
            sums[r][c] = sums[r][c] + l[r][e] * real4(w0[e], w1[e], w2[e], w3[e]);
        }
      }
#else
      for (uint e = 0u; e < 4u; ++e) {
        for (uint c = 0u; c < COLUMNS; ++c) {
          const real4 w = right[right_at + (k * 4u + e) * width + column + c];
          for (uint r = 0u; r < ROWS; ++r) sums[r][c] = sums[r][c] + l[r][e] * w;
        }
      }
#endif
    }
    for (uint r = 0u; r < ROWS; ++r) {
      for (uint c = 0u; c < COLUMNS; ++c) {
        const uint to = (matrix_number * rows + row + r) * width + column + c;
#if defined(TRANSPOSED)
        result[to] = sums[r][c] + bias[column + c];
#else
        result[to] = sums[r][c];
#endif
      }
    }
  }
}
