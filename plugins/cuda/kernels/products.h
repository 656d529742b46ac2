// products.h: a tiled product of matrices whose operands may be anything that can be asked for its element (i, k) or
// (k, j): stored matrices, transposed ones, windows of an image.
//
// Each element of the result is one fold over ascending k from +0, so tiles cut the rows and columns of the result and
// only block k. A block of 256 threads, 16 by 16, has a square tile of the result; each thread keeps side / 16 rows and
// columns of it in registers. The operands' tiles go through shared memory, the next ones being fetched while these are
// used. Beyond the ends an operand counts as +0: both are, so that nothing becomes NaN that is none.
#pragma once
#include "pack.h"
#include "shapes.h"

namespace tenon::gpu {

/// How a product joins its sum: the product rounded, then added, as strict numerics have it; or both rounded once.
struct Separate {
  template <class T>
  TENON_DEVICE T operator()(T a, T b, T sum) const {
    return sum + a * b;
  }
};
struct Fused {
  template <class T>
  TENON_DEVICE T operator()(T a, T b, T sum) const {
    return fused(a, b, sum);
  }
};

/// Which way an operand's neighbours lie: consecutive threads fetch along that axis.
enum class Along { outer, depth };

template <class T, unsigned Side>
struct ProductTile {
  static constexpr unsigned side = Side, depth = 8, threads_along = 16, per_thread = side / threads_along;
  static constexpr unsigned width = Pack<T>::width < per_thread ? Pack<T>::width : per_thread;
  static constexpr unsigned chunks = per_thread / width;
  static constexpr unsigned pitch = side + Pack<T>::width;  // skewed, so that the rows' banks differ
  static constexpr unsigned fetched = side * depth / block_threads > 0 ? side* depth / block_threads : 1;

  /// Position inside the tile of a thread's element: in chunks, so that a thread reads packs and a warp all banks.
  TENON_DEVICE static unsigned position(unsigned thread, unsigned i) {
    return i / width * (threads_along * width) + thread * width + i % width;
  }
};

/// One operand's part of a tile, in a thread's registers on its way to shared memory.
template <class T, unsigned Side, Along along>
class Fetch {
 public:
  using Tile = ProductTile<T, Side>;

  /// at(outer, k) inside the extents; +0 beyond them.
  template <class At>
  TENON_DEVICE void load(std::uint64_t first, std::uint64_t outer, std::uint64_t k, std::uint64_t depth, const At& at) {
#pragma unroll
    for (unsigned i = 0; i < Tile::fetched; ++i) {
      const std::uint64_t o = first + outer_of(i), at_k = k + depth_of(i);
      values_[i] = o < outer && at_k < depth ? at(o, at_k) : T(0);
    }
  }
  TENON_DEVICE void store(T (&tile)[Tile::depth][Tile::pitch]) const {
#pragma unroll
    for (unsigned i = 0; i < Tile::fetched; ++i) tile[depth_of(i)][outer_of(i)] = values_[i];
  }

 private:
  TENON_DEVICE static unsigned number(unsigned i) { return i * block_threads + threadIdx.x; }
  TENON_DEVICE static unsigned outer_of(unsigned i) {
    return along == Along::outer ? number(i) % Side : number(i) / Tile::depth;
  }
  TENON_DEVICE static unsigned depth_of(unsigned i) {
    return along == Along::outer ? number(i) / Side : number(i) % Tile::depth;
  }
  T values_[Tile::fetched];
};

/// The column of the right operand of which this thread fetches, and no other, where it fetches along columns; the last
/// one beyond the end.
template <class T, unsigned Side>
TENON_DEVICE std::uint64_t fetched_column(const Extents& extents, std::uint64_t tile) {
  static_assert(block_threads % Side == 0);
  const std::uint64_t column = tile % ((extents.columns + Side - 1) / Side) * Side + threadIdx.x % Side;
  return column < extents.columns ? column : extents.columns - 1;
}

/// The tile of this block, `tile` counted row-major over the tiles of the result; store(i, j, sum) gets each element.
template <class T, unsigned Side, Along left_along, Along right_along, class Add, class Left, class Right, class Store>
TENON_DEVICE void multiply_tile(const Extents& extents, std::uint64_t tile, const Add& add, const Left& left,
                                const Right& right, const Store& store) {
  using Tile = ProductTile<T, Side>;
  static_assert(Side * Tile::depth % block_threads == 0);
  alignas(16) TENON_SHARED T left_tile[2][Tile::depth][Tile::pitch];
  alignas(16) TENON_SHARED T right_tile[2][Tile::depth][Tile::pitch];
  const std::uint64_t tiles_across = (extents.columns + Side - 1) / Side;
  const std::uint64_t row = tile / tiles_across * Side, column = tile % tiles_across * Side;
  const unsigned x = threadIdx.x % Tile::threads_along, y = threadIdx.x / Tile::threads_along;

  T sums[Tile::per_thread][Tile::per_thread] = {};
  Fetch<T, Side, left_along> next_left;
  Fetch<T, Side, right_along> next_right;
  next_left.load(row, extents.rows, 0, extents.depth, left);
  next_right.load(column, extents.columns, 0, extents.depth, right);
  unsigned current = 0;
  for (std::uint64_t k = 0; k < extents.depth; k += Tile::depth, current ^= 1) {
    next_left.store(left_tile[current]);
    next_right.store(right_tile[current]);
    __syncthreads();  // one is enough: who is a step ahead writes the other pair of tiles
    if (k + Tile::depth < extents.depth) {
      next_left.load(row, extents.rows, k + Tile::depth, extents.depth, left);
      next_right.load(column, extents.columns, k + Tile::depth, extents.depth, right);
    }
#pragma unroll
    for (unsigned step = 0; step < Tile::depth; ++step) {
      T a[Tile::per_thread], b[Tile::per_thread];
#pragma unroll
      for (unsigned i = 0; i < Tile::per_thread; ++i) {
        a[i] = left_tile[current][step][Tile::position(y, i)];
        b[i] = right_tile[current][step][Tile::position(x, i)];
      }
#pragma unroll
      for (unsigned i = 0; i < Tile::per_thread; ++i) {
#pragma unroll
        for (unsigned j = 0; j < Tile::per_thread; ++j) sums[i][j] = add(a[i], b[j], sums[i][j]);
      }
    }
  }
#pragma unroll
  for (unsigned i = 0; i < Tile::per_thread; ++i) {
    const std::uint64_t to = row + Tile::position(y, i);
#pragma unroll
    for (unsigned j = 0; j < Tile::per_thread; ++j) {
      const std::uint64_t at = column + Tile::position(x, j);
      if (to < extents.rows && at < extents.columns) store(to, at, sums[i][j]);
    }
  }
}

}  // namespace tenon::gpu
