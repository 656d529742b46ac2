// products.h: a tiled product of matrices. How an operand's elements come out of memory is the operand's own matter:
// stored ones are here, the windows of an image in windows.h.
//
// Each element of the result is one fold over ascending k from +0, so tiles cut the rows and columns of the result and
// only block k. A block of 256 threads has a square tile of the result; each thread keeps side / 16 rows and columns of
// it in registers. The operands' tiles go through shared memory, sixteen bytes of each from every thread, the next ones
// being fetched while these are used. Beyond the end of k both operands count as +0, so that nothing becomes NaN that
// is none; beyond the ends of rows and columns anything will do, since nobody asks for those sums.
//
// An operand is a class of one tile, made for each thread:
//   load(left)   fetches this thread's part of the next ProductTile::depth elements along k of each row (of the left
//                operand) or column (of the right one); so many are left
//   store(tile)  puts it where all threads read it
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

// -- tiles --------------------------------------------------------------------------------------------------

template <class T, unsigned Side>
struct ProductTile {
  static constexpr unsigned side = Side, threads_along = 16, per_thread = side / threads_along;
  static constexpr unsigned fetched = Pack<T>::width;  // elements of each operand's tile for a thread
  static constexpr unsigned depth = block_threads * fetched / side;
  static constexpr unsigned width = Pack<T>::width < per_thread ? Pack<T>::width : per_thread;
  static constexpr unsigned chunks = per_thread / width;
  static constexpr unsigned steps = per_thread == 8 ? 1 : 4;  // along k at once: 64 sums leave few registers
  static constexpr unsigned pitch = side + width;             // skewed, so that the rows' banks differ
  using Chunk = Piece<T, width>;
  using Elements = T[depth][pitch];

  /// Where in the tile a thread's chunk begins; a warp's chunks are neighbours.
  TENON_DEVICE static unsigned position(unsigned thread, unsigned chunk) {
    return (chunk * threads_along + thread) * width;
  }
  /// The threads stand 8 by 4 in each warp of 32, so that a warp reads few different chunks.
  TENON_DEVICE static unsigned thread_across() { return threadIdx.x % 8 + threadIdx.x / 32 % 2 * 8; }
  TENON_DEVICE static unsigned thread_down() { return threadIdx.x / 8 % 4 + threadIdx.x / 64 * 4; }
};

/// Which tile of which result a block has: results one after the other, the tiles of each row-major. A launch has fewer
/// than 2^31 blocks, so 32 bits count tiles.
template <unsigned Side>
struct TileNumber {
  std::uint32_t matrix, down, across;

  TENON_DEVICE static TileNumber of(const Extents& extents) {
    const auto tiles = static_cast<std::uint32_t>(extents.tiles(Side));
    const auto width = static_cast<std::uint32_t>((extents.columns + Side - 1) / Side);
    const std::uint32_t tile = blockIdx.x % tiles;
    return {blockIdx.x / tiles, tile / width, tile % width};
  }
  TENON_DEVICE std::uint64_t row() const { return std::uint64_t{down} * Side; }
  TENON_DEVICE std::uint64_t column() const { return std::uint64_t{across} * Side; }
};

template <class T, unsigned Side>
using Chunk = typename ProductTile<T, Side>::Chunk;

// -- operands -----------------------------------------------------------------------------------------------

/// Which way an operand's neighbours lie in memory: along its rows or columns, or along k.
enum class Along { outer, depth };

/// The last row or column in the place of one beyond the end.
TENON_DEVICE std::uint64_t no_further(std::uint64_t i, std::uint64_t end) { return i < end ? i : end - 1; }

/// Of a tile, the place of what a thread fetches: consecutive elements along k.
template <class T, unsigned Side>
struct FetchDown {
  using Tile = ProductTile<T, Side>;
  unsigned outer, k;

  /// Consecutive threads along k.
  TENON_DEVICE static FetchDown along_depth() {
    constexpr unsigned threads = Tile::depth / Tile::fetched;
    return {threadIdx.x / threads, threadIdx.x % threads * Tile::fetched};
  }
  /// Consecutive threads along the rows or columns.
  TENON_DEVICE static FetchDown along_outer() { return {threadIdx.x % Side, threadIdx.x / Side * Tile::fetched}; }

  TENON_DEVICE void store(typename Tile::Elements& tile, const Pack<T>& values) const {
#pragma unroll
    for (unsigned i = 0; i < Tile::fetched; ++i) tile[k + i][outer] = values.at[i];
  }
};

/// A dense matrix: (outer, depth) where k runs along its rows, else (depth, outer).
template <class T, unsigned Side, Along along>
class Stored;

template <class T, unsigned Side>
class Stored<T, Side, Along::depth> {
 public:
  using Tile = ProductTile<T, Side>;

  /// The rows of a tile that begins with row `first`.
  TENON_DEVICE Stored(const T* matrix, std::uint64_t first, std::uint64_t outer, std::uint64_t depth)
      : place_(FetchDown<T, Side>::along_depth()),
        whole_(depth % Tile::fetched == 0),
        from_(matrix + no_further(first + place_.outer, outer) * depth + place_.k) {}

  TENON_DEVICE void load(std::uint64_t left) {
    values_ = load_piece<Pack<T>>(from_, place_.k < left ? inside<Pack<T>>(left - place_.k) : 0, whole_);
    from_ += Tile::depth;
  }
  TENON_DEVICE void store(typename Tile::Elements& tile) const { place_.store(tile, values_); }

 private:
  FetchDown<T, Side> place_;
  bool whole_;
  const T* from_;
  Pack<T> values_;
};

template <class T, unsigned Side>
class Stored<T, Side, Along::outer> {
 public:
  using Tile = ProductTile<T, Side>;

  TENON_DEVICE Stored(const T* matrix, std::uint64_t first, std::uint64_t outer, std::uint64_t)
      : outer_(threadIdx.x % threads * Tile::fetched),
        k_(threadIdx.x / threads),
        inside_(first + outer_ < outer ? inside<Pack<T>>(outer - (first + outer_)) : 0),
        pitch_(outer),
        from_(matrix + k_ * outer + (inside_ == 0 ? 0 : first + outer_)) {}

  TENON_DEVICE void load(std::uint64_t left) {
    values_ = load_piece<Pack<T>>(from_, k_ < left ? inside_ : 0, pitch_ % Tile::fetched == 0);
    from_ += Tile::depth * pitch_;
  }
  TENON_DEVICE void store(typename Tile::Elements& tile) const {
    using Chunk = typename Tile::Chunk;
#pragma unroll
    for (unsigned i = 0; i < Tile::fetched; i += Chunk::width) {
      Chunk chunk;
#pragma unroll
      for (unsigned j = 0; j < Chunk::width; ++j) chunk.at[j] = values_.at[i + j];
      *reinterpret_cast<Chunk*>(&tile[k_][outer_ + i]) = chunk;
    }
  }

 private:
  static constexpr unsigned threads = Side / Tile::fetched;  // along a row of the tile
  unsigned outer_, k_, inside_;
  std::uint64_t pitch_;
  const T* from_;
  Pack<T> values_;
};

// -- results ------------------------------------------------------------------------------------------------

/// A dense matrix to write: called with a column, gives what writes a chunk of sums that begins there into a row.
template <class Chunk, class T>
struct Dense {
  T* to;
  std::uint64_t columns;

  TENON_DEVICE auto operator()(std::uint64_t column) const {
    return [=, *this](std::uint64_t row, const Chunk& sums) {
      store_piece(to, row * columns + column, inside<Chunk>(columns - column), columns % Chunk::width == 0, sums);
    };
  }
};

/// The same with an element of a vector added to each column, last.
template <class Chunk, class T>
struct Biased {
  Dense<Chunk, T> result;
  const T* bias;

  TENON_DEVICE auto operator()(std::uint64_t column) const {
    const unsigned count = inside<Chunk>(result.columns - column);
    const auto last = load_piece<Chunk>(bias + column, count, result.columns % Chunk::width == 0);
    return [=, write = result(column)](std::uint64_t row, Chunk sums) {
#pragma unroll
      for (unsigned i = 0; i < Chunk::width; ++i) sums.at[i] = sums.at[i] + last.at[i];
      write(row, sums);
    };
  }
};

// -- the product --------------------------------------------------------------------------------------------

/// One tile. result(column)(row, chunk) gets chunks of sums whose first column and row are inside.
template <class T, unsigned Side, class Add, class Left, class Right, class Result>
TENON_DEVICE void multiply_tile(const Extents& extents, const TileNumber<Side>& tile, const Add& add, Left left,
                                Right right, const Result& result) {
  using Tile = ProductTile<T, Side>;
  using Chunk = typename Tile::Chunk;
  alignas(16) TENON_SHARED T tiles[2][2][Tile::depth][Tile::pitch];  // left and right, in turns
  const unsigned x = Tile::thread_across(), y = Tile::thread_down();

  T sums[Tile::per_thread][Tile::per_thread] = {};
  std::uint64_t rest = extents.depth;
  left.load(rest);
  right.load(rest);
  for (unsigned current = 0; rest != 0; current ^= 1) {
    left.store(tiles[current][0]);
    right.store(tiles[current][1]);
    __syncthreads();  // one is enough: who is a step ahead writes the other pair of tiles
    rest = rest > Tile::depth ? rest - Tile::depth : 0;
    if (rest != 0) {
      left.load(rest);
      right.load(rest);
    }
#pragma unroll Tile::steps
    for (unsigned step = 0; step < Tile::depth; ++step) {
      Chunk a[Tile::chunks], b[Tile::chunks];
#pragma unroll
      for (unsigned chunk = 0; chunk < Tile::chunks; ++chunk) {
        a[chunk] = *reinterpret_cast<const Chunk*>(&tiles[current][0][step][Tile::position(y, chunk)]);
        b[chunk] = *reinterpret_cast<const Chunk*>(&tiles[current][1][step][Tile::position(x, chunk)]);
      }
#pragma unroll
      for (unsigned i = 0; i < Tile::per_thread; ++i) {
#pragma unroll
        for (unsigned j = 0; j < Tile::per_thread; ++j)
          sums[i][j] = add(a[i / Tile::width].at[i % Tile::width], b[j / Tile::width].at[j % Tile::width], sums[i][j]);
      }
    }
  }
#pragma unroll
  for (unsigned across = 0; across < Tile::chunks; ++across) {
    const std::uint64_t column = tile.column() + Tile::position(x, across);
    if (column >= extents.columns) continue;
    const auto write = result(column);
#pragma unroll
    for (unsigned i = 0; i < Tile::per_thread; ++i) {
      const std::uint64_t row = tile.row() + Tile::position(y, i / Tile::width) + i % Tile::width;
      if (row >= extents.rows) continue;
      Chunk chunk;
#pragma unroll
      for (unsigned j = 0; j < Tile::width; ++j) chunk.at[j] = sums[i][across * Tile::width + j];
      write(row, chunk);
    }
  }
}

}  // namespace tenon::gpu
