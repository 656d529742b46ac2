// products.h: products of matrices by tiles: a threadgroup makes Tile rows and columns of the result, a thread four
// rows of four columns, each of them a fold from +0 over ascending k. What the operands are is the loaders' affair, so
// convolutions are products too.
//
// The fold is done by the device's own + and *, as long as no element loaded for this tile is as small as to bring
// anything near the subnormal numbers (of more than 2^-50 each two have a product that is a multiple of 2^-123, and so
// is every sum of such). From the first that is on, the tile's fold is done by exact.h.
#pragma once
#include "exact.h"
#include "walk.h"

namespace tenon_metal {

enum Slab { slab = 16 };  // of k, as much as is in a threadgroup's memory at once

/// Memory of a threadgroup: k major, a row of four columns too many so that fewer threads meet in one bank.
template <uint Tile>
struct TileShape {
  enum { side = Tile / 4, threads = side * side, quads = slab * (side + 1), pitch = Tile + 4 };
};

/// Whose product with another such may be near the subnormals: below 2^-50, and not 0.
inline bool is_tiny(uint x) { return (x << 1) - 1u < (77u << 24) - 1u; }
inline bool has_tiny(uint4 quad) { return is_tiny(quad.x) || is_tiny(quad.y) || is_tiny(quad.z) || is_tiny(quad.w); }

/// Does a dense matrix with rows of so many elements, `offset` of them into an array, allow loads of four?
inline bool in_quads(ulong offset, uint row) { return ((offset | ulong(row)) & 3ul) == 0ul; }

/// Rows of `depth` elements; 0 outside. `whole`: each begins at a multiple of four elements.
struct DenseRows {
  device const uint* x;
  uint rows, depth;
  bool whole;

  uint4 along_k(uint row, uint k) const {
    if (row >= rows || k >= depth) return uint4(0u);
    device const uint* from = x + ulong(row) * depth + k;
    if (whole && k + 4u <= depth) return *(device const uint4*)from;
    uint4 quad = uint4(0u);
    for (uint i = 0u; i < 4u && k + i < depth; ++i) quad[i] = from[i];
    return quad;
  }
};

/// A matrix of k by columns.
struct DenseColumns {
  enum { runs_along_k = 0 };
  device const uint* x;
  uint depth, columns;
  bool whole;

  uint4 along_columns(uint k, uint column) const {
    if (k >= depth || column >= columns) return uint4(0u);
    device const uint* from = x + ulong(k) * columns + column;
    if (whole && column + 4u <= columns) return *(device const uint4*)from;
    uint4 quad = uint4(0u);
    for (uint i = 0u; i < 4u && column + i < columns; ++i) quad[i] = from[i];
    return quad;
  }
};

/// What is written: a dense matrix.
struct Target {
  device uint* x;
  uint rows, columns;
  bool whole;

  void store(uint row, uint column, uint4 quad) const {
    if (row >= rows || column >= columns) return;
    device uint* to = x + ulong(row) * columns + column;
    if (whole && column + 4u <= columns) {
      *(device uint4*)to = quad;
      return;
    }
    for (uint i = 0u; i < 4u && column + i < columns; ++i) to[i] = quad[i];
  }
};

/// What is done to an element before it is written.
struct Nothing {
  real operator()(real sum, uint, uint) const { return sum; }
};
struct AddOfColumn {
  device const uint* bias;
  real operator()(real sum, uint, uint column) const { return sum + real_of(bias[column]); }
};
struct AddOfRow {
  device const uint* bias;
  real operator()(real sum, uint row, uint) const { return sum + real_of(bias[row]); }
};
struct Times {
  real factor;
  real operator()(real sum, uint, uint) const { return sum * factor; }
};

// -- a slab -------------------------------------------------------------------------------------------------

/// What four neighbours of k or of the columns are, in the memory of a slab.
inline void put_along_k(threadgroup uint* memory, uint pitch, uint at, uint k, uint4 quad) {
  for (uint i = 0u; i < 4u; ++i) memory[(k + i) * pitch + at] = quad[i];
}

/// Both return whether a tiny element was among what this thread loaded.
template <uint Tile, class Rows>
inline bool load_along_k(threadgroup uint* memory, const Rows rows, uint first, uint k, uint thread_number) {
  bool tiny = false;
  for (uint i = thread_number; i < Tile * slab / 4u; i += TileShape<Tile>::threads) {
    const uint at = i / (slab / 4u), inner = i % (slab / 4u) * 4u;
    const uint4 quad = rows.along_k(first + at, k + inner);
    tiny = tiny || has_tiny(quad);
    put_along_k(memory, TileShape<Tile>::pitch, at, inner, quad);
  }
  return tiny;
}
template <uint Tile, class Columns>
inline bool load_along_columns(threadgroup uint* memory, const Columns columns, uint first, uint k,
                               uint thread_number) {
  bool tiny = false;
  for (uint i = thread_number; i < Tile * slab / 4u; i += TileShape<Tile>::threads) {
    const uint at = i % TileShape<Tile>::side * 4u, inner = i / TileShape<Tile>::side;
    const uint4 quad = columns.along_columns(k + inner, first + at);
    tiny = tiny || has_tiny(quad);
    *(threadgroup uint4*)(memory + inner * TileShape<Tile>::pitch + at) = quad;
  }
  return tiny;
}
/// The right operand runs along k too where it is given transposed.
template <uint Tile, bool AlongK>
struct RightSlab {
  template <class Right>
  static bool load(threadgroup uint* memory, const Right right, uint first, uint k, uint thread_number) {
    return load_along_columns<Tile>(memory, right, first, k, thread_number);
  }
};
template <uint Tile>
struct RightSlab<Tile, true> {
  template <class Right>
  static bool load(threadgroup uint* memory, const Right right, uint first, uint k, uint thread_number) {
    return load_along_k<Tile>(memory, right, first, k, thread_number);
  }
};

inline uint4 added_product(uint4 sums, uint left, uint4 right) {
  return as_type<uint4>(as_type<float4>(sums) + float_of(left) * as_type<float4>(right));
}
inline uint4 fused_product(uint4 sums, uint left, uint4 right) {
  return as_type<uint4>(fma(float4(float_of(left)), as_type<float4>(right), as_type<float4>(sums)));
}
inline uint4 added_product_exactly(uint4 sums, uint left, uint4 right) {
  for (uint i = 0u; i < 4u; ++i) sums[i] = sum_of(sums[i], product_of(left, right[i]));
  return sums;
}

/// A thread's part of a slab, in registers.
struct Sums {
  uint4 row[4];
};
template <uint Tile, class Step>
inline void fold_slab(thread Sums& sums, threadgroup const uint* left, threadgroup const uint* right, uint count,
                      uint thread_number, Step step) {
  const uint row = thread_number / TileShape<Tile>::side * 4u, column = thread_number % TileShape<Tile>::side * 4u;
  for (uint k = 0u; k < count; ++k) {
    const uint4 l = *(threadgroup const uint4*)(left + k * TileShape<Tile>::pitch + row);
    const uint4 r = *(threadgroup const uint4*)(right + k * TileShape<Tile>::pitch + column);
    for (uint i = 0u; i < 4u; ++i) sums.row[i] = step(sums.row[i], l[i], r);
  }
}
struct Add {
  uint4 operator()(uint4 sums, uint left, uint4 right) const { return added_product(sums, left, right); }
};
struct AddExactly {
  uint4 operator()(uint4 sums, uint left, uint4 right) const { return added_product_exactly(sums, left, right); }
};
struct Fuse {
  uint4 operator()(uint4 sums, uint left, uint4 right) const { return fused_product(sums, left, right); }
};

// -- a tile -------------------------------------------------------------------------------------------------

/// The memory of a threadgroup that makes a tile.
struct TileMemory {
  threadgroup uint* left;
  threadgroup uint* right;
  threadgroup atomic_uint* tiny;
};

template <uint Tile, bool Strict, class Left, class Right, class Finish>
inline void make_tile(const Left left, const Right right, const Target target, const Finish finish, uint depth,
                      uint3 group, uint thread_number, TileMemory memory) {
  const uint first_row = group.y * Tile, first_column = group.x * Tile;
  Sums sums;
  for (uint i = 0u; i < 4u; ++i) sums.row[i] = uint4(0u);
  if (thread_number == 0u) atomic_store_explicit(memory.tiny, 0u, memory_order_relaxed);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  for (uint k = 0u; k < depth; k += slab) {
    bool tiny = load_along_k<Tile>(memory.left, left, first_row, k, thread_number);
    tiny = RightSlab<Tile, Right::runs_along_k != 0>::load(memory.right, right, first_column, k, thread_number) || tiny;
    if (Strict && tiny) atomic_fetch_or_explicit(memory.tiny, 1u, memory_order_relaxed);
    threadgroup_barrier(mem_flags::mem_threadgroup);
    const uint count = min(depth - k, uint(slab));
    if (!Strict)
      fold_slab<Tile>(sums, memory.left, memory.right, count, thread_number, Fuse());
    else if (atomic_load_explicit(memory.tiny, memory_order_relaxed) == 0u)
      fold_slab<Tile>(sums, memory.left, memory.right, count, thread_number, Add());
    else
      fold_slab<Tile>(sums, memory.left, memory.right, count, thread_number, AddExactly());
    threadgroup_barrier(mem_flags::mem_threadgroup);  // before the next slab is loaded
  }
  const uint row = first_row + thread_number / TileShape<Tile>::side * 4u;
  const uint column = first_column + thread_number % TileShape<Tile>::side * 4u;
  for (uint r = 0u; r < 4u; ++r) {
    for (uint c = 0u; c < 4u; ++c) {
      if (row + r < target.rows && column + c < target.columns)
        sums.row[r][c] = bits(finish(real_of(sums.row[r][c]), row + r, column + c));
    }
    target.store(row + r, column, sums.row[r]);
  }
}

}  // namespace tenon_metal

// The memory of a tile, which a kernel has to declare itself.
#define TENON_TILE_MEMORY(memory, Tile)                     \
  threadgroup uint4 memory##_left[TileShape<Tile>::quads];  \
  threadgroup uint4 memory##_right[TileShape<Tile>::quads]; \
  threadgroup atomic_uint memory##_tiny;                    \
  const TileMemory memory = {(threadgroup uint*)memory##_left, (threadgroup uint*)memory##_right, &memory##_tiny}
#define TENON_TILE_THREAD \
  uint thread_number [[thread_index_in_threadgroup]], uint3 group [[threadgroup_position_in_grid]]
