// matrices.h: the kernels of matmul, linear and scores, strict and fused, for both sizes of tiles.
//
// Pure functions but for what they write; any thread.
#pragma once
#include "products.h"

namespace tenon_metal {

/// The right operand given transposed: rows of k.
struct DenseTransposed {
  enum { runs_along_k = 1 };
  DenseRows rows;
  uint4 along_k(uint column, uint k) const { return rows.along_k(column, k); }
};

/// Where the matrices of an operand or result begin.
struct Offsets {
  ulong left, right, result;
};
inline Offsets offsets_of(uint matrix, constant Product& shape) {
  Offsets at;
  at.left = walk(matrix, shape.extents, shape.left_strides, 0u, shape.axes);
  at.right = walk(matrix, shape.extents, shape.right_strides, 0u, shape.axes);
  at.result = ulong(matrix) * shape.rows * shape.columns;
  return at;
}

/// left (rows, depth) by right (depth, columns).
template <uint Tile, bool Strict>
inline void matmul(device const uint* left, device const uint* right, device uint* result, constant Product& shape,
                   uint3 group, uint thread_number, TileMemory memory) {
  const Offsets at = offsets_of(group.z, shape);
  const DenseRows l = {left + at.left, shape.rows, shape.depth, in_quads(at.left, shape.depth)};
  const DenseColumns r = {right + at.right, shape.depth, shape.columns, in_quads(at.right, shape.columns)};
  const Target target = {result + at.result, shape.rows, shape.columns, in_quads(at.result, shape.columns)};
  make_tile<Tile, Strict>(l, r, target, Nothing(), shape.depth, group, thread_number, memory);
}

/// left (rows, depth) by right (columns, depth) transposed.
template <uint Tile, bool Strict, class Finish>
inline void by_transposed(device const uint* left, device const uint* right, device uint* result, const Finish finish,
                          constant Product& shape, uint3 group, uint thread_number, TileMemory memory) {
  const Offsets at = offsets_of(group.z, shape);
  const DenseRows l = {left + at.left, shape.rows, shape.depth, in_quads(at.left, shape.depth)};
  const DenseTransposed r = {{right + at.right, shape.columns, shape.depth, in_quads(at.right, shape.depth)}};
  const Target target = {result + at.result, shape.rows, shape.columns, in_quads(at.result, shape.columns)};
  make_tile<Tile, Strict>(l, r, target, finish, shape.depth, group, thread_number, memory);
}

}  // namespace tenon_metal

#define TENON_MATMUL(name, Tile, Strict)                                                                          \
  kernel void name(device const uint* left [[buffer(0)]], device const uint* right [[buffer(1)]],                 \
                   device uint* result [[buffer(2)]], constant Product& shape [[buffer(3)]], TENON_TILE_THREAD) { \
    TENON_TILE_MEMORY(memory, Tile);                                                                              \
    matmul<Tile, Strict>(left, right, result, shape, group, thread_number, memory);                               \
  }
#define TENON_LINEAR(name, Tile, Strict)                                                         \
  kernel void name(device const uint* x [[buffer(0)]], device const uint* weight [[buffer(1)]],  \
                   device const uint* bias [[buffer(2)]], device uint* result [[buffer(3)]],     \
                   constant Product& shape [[buffer(4)]], TENON_TILE_THREAD) {                   \
    TENON_TILE_MEMORY(memory, Tile);                                                             \
    const AddOfColumn finish = {bias};                                                           \
    by_transposed<Tile, Strict>(x, weight, result, finish, shape, group, thread_number, memory); \
  }
#define TENON_SCORES(name, Tile)                                                                                  \
  kernel void name(device const uint* left [[buffer(0)]], device const uint* right [[buffer(1)]],                 \
                   device uint* result [[buffer(2)]], constant Product& shape [[buffer(3)]], TENON_TILE_THREAD) { \
    TENON_TILE_MEMORY(memory, Tile);                                                                              \
    const Times finish = {real_from(shape.factor)};                                                               \
    by_transposed<Tile, true>(left, right, result, finish, shape, group, thread_number, memory);                  \
  }
