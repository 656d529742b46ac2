// Layout operations: the same elements in another arrangement. No arithmetic, so one kernel serves every type of a
// width. An index beyond its axis, which the host has refused before, reads and writes nothing; its elements become
// NaN.
#include "portable.h"
#include "shapes.h"
#include "walk.h"

namespace tenon::gpu {
namespace {

/// Each element of the result, in order, from the place in x that a walk names.
template <class T>
TENON_DEVICE void rearrange(const Walk& walk, T* output, const T* x) {
  const std::uint64_t i = thread_number();
  if (i < walk.count) output[i] = x[walk.offset(i)];
}

/// Matrices stand at places that walks name. Tiles go through shared memory, so that neighbouring threads read
/// neighbouring elements and write such.
template <class T>
TENON_DEVICE void transpose(const Transposition& shape, const Walk& from, const Walk& to, T* output, const T* x) {
  constexpr unsigned side = Transposition::side, step = block_threads / side;
  TENON_SHARED T tile[side][side + 1];
  const std::uint64_t across = (shape.columns + side - 1) / side, tiles = shape.tiles();
  const std::uint64_t matrix = blockIdx.x / tiles, rest = blockIdx.x % tiles;
  const std::uint64_t row = rest / across * side, column = rest % across * side;
  const unsigned fast = threadIdx.x % side, slow = threadIdx.x / side;
  const T* source = x + from.offset(matrix);
  T* target = output + to.offset(matrix);
  for (unsigned i = slow; i < side; i += step)
    if (row + i < shape.rows && column + fast < shape.columns)
      tile[i][fast] = source[static_cast<std::int64_t>(row + i) * shape.from_stride + column + fast];
  __syncthreads();
  for (unsigned j = slow; j < side; j += step)
    if (column + j < shape.columns && row + fast < shape.rows)
      target[static_cast<std::int64_t>(column + j) * shape.to_stride + row + fast] = tile[fast][j];
}

template <class T>
TENON_DEVICE void copy_blocks(const BlockCopy& shape, T* output, const T* x) {
  const std::uint64_t i = thread_number();
  if (i >= shape.blocks * shape.count) return;
  const std::uint64_t block = i / shape.count, place = i % shape.count;
  output[block * shape.to_stride + shape.to_skipped + place] =
      x[block * shape.from_stride + shape.from_skipped + place];
}

template <class T>
TENON_DEVICE void gather(const Indexed& shape, T* output, const T* x, const std::uint32_t* indices, T missing) {
  const std::uint64_t i = thread_number();
  if (i >= shape.outer * shape.count * shape.inner) return;
  const std::uint64_t run = i / shape.inner, block = run / shape.count;
  const std::uint32_t index = indices[run % shape.count];
  output[i] = index < shape.extent ? x[(block * shape.extent + index) * shape.inner + i % shape.inner] : missing;
}

/// A thread for each element of the result looks for its index among all, so that it adds in their order, alone.
template <class T>
TENON_DEVICE void scatter_add(const Indexed& shape, T* output, const T* x, const T* values,
                              const std::uint32_t* indices) {
  TENON_SHARED std::uint32_t window[block_threads];
  const std::uint64_t i = thread_number();
  const bool mine = i < shape.outer * shape.extent * shape.inner;
  const std::uint64_t run = i / shape.inner, place = i % shape.inner;
  const std::uint64_t block = run / shape.extent, index = run % shape.extent;
  T sum = mine ? x[i] : T(0);
  for (std::uint64_t first = 0; first < shape.count; first += block_threads) {
    __syncthreads();
    if (first + threadIdx.x < shape.count) window[threadIdx.x] = indices[first + threadIdx.x];
    __syncthreads();
    const std::uint64_t left = shape.count - first;
    const unsigned size = left < block_threads ? static_cast<unsigned>(left) : block_threads;
    for (unsigned j = 0; mine && j < size; ++j)
      if (window[j] == index) sum = sum + values[(block * shape.count + first + j) * shape.inner + place];
  }
  if (mine) output[i] = sum;
}

}  // namespace
}  // namespace tenon::gpu

using namespace tenon::gpu;

#define TENON_LAYOUT(T, suffix)                                                                                  \
  TENON_KERNEL(rearrange_##suffix, Walk walk, T* output, const T* x) { rearrange(walk, output, x); }             \
  TENON_KERNEL(transpose_##suffix, Transposition shape, Walk from, Walk to, T* output, const T* x) {             \
    transpose(shape, from, to, output, x);                                                                       \
  }                                                                                                              \
  TENON_KERNEL(copy_blocks_##suffix, BlockCopy shape, T* output, const T* x) { copy_blocks(shape, output, x); }  \
  TENON_KERNEL(gather_##suffix, Indexed shape, T* output, const T* x, const std::uint32_t* indices, T missing) { \
    gather(shape, output, x, indices, missing);                                                                  \
  }                                                                                                              \
  TENON_KERNEL(scatter_add_##suffix, Indexed shape, T* output, const T* x, const T* values,                      \
               const std::uint32_t* indices) {                                                                   \
    scatter_add(shape, output, x, values, indices);                                                              \
  }

TENON_LAYOUT(float, f32)
TENON_LAYOUT(double, f64)
