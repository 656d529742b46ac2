// Layout operations: the same elements in another arrangement. No arithmetic, so one kernel serves every type of a
// width; where whole packs stay together a thread moves one. An index beyond its axis, which the host has refused
// before, reads and writes nothing; its elements become NaN.
#include "pack.h"
#include "shapes.h"
#include "teams.h"
#include "walk.h"

namespace tenon::gpu {
namespace {

/// Each element of the result, in order, from the place in x that a walk names.
template <class T>
TENON_DEVICE void rearrange(const Walk& walk, T* output, const T* x) {
  const std::uint64_t i = thread_number();
  if (i < walk.count) output[i] = x[walk.offset(i)];
}

/// The same a pack of the result at a time: the walk names the place of its first element in x, where the others follow
/// at distances of `step`; `whole`: as a pack.
template <class T>
TENON_DEVICE void rearrange_packs(const Walk& walk, std::int64_t step, bool whole, T* output, const T* x) {
  const std::uint64_t i = thread_number();
  if (i >= walk.count) return;
  const T* from = x + walk.offset(i);
  Pack<T> values;
  if (whole) {
    values = load_pack(from, 0);
  } else {
#pragma unroll
    for (unsigned j = 0; j < Pack<T>::width; ++j) values.at[j] = from[j * step];
  }
  store_pack(output, i, values);
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

/// An element is a number or a pack of them.
template <class Element>
TENON_DEVICE void copy_blocks(const BlockCopy& shape, Element* output, const Element* x) {
  const std::uint64_t i = thread_number();
  if (i >= shape.blocks * shape.count) return;
  const Division at = divide(i, shape.count);
  output[at.quotient * shape.to_stride + shape.to_skipped + at.rest] =
      x[at.quotient * shape.from_stride + shape.from_skipped + at.rest];
}

template <class Element>
TENON_DEVICE void gather(const Indexed& shape, Element* output, const Element* x, const std::uint32_t* indices,
                         const Element& missing) {
  const std::uint64_t i = thread_number();
  if (i >= shape.outer * shape.count * shape.inner) return;
  const Division run = divide(i, shape.inner), block = divide(run.quotient, shape.count);
  const std::uint32_t index = indices[block.rest];
  output[i] = index < shape.extent ? x[(block.quotient * shape.extent + index) * shape.inner + run.rest] : missing;
}

struct Or {
  TENON_DEVICE unsigned operator()(unsigned a, unsigned b) const { return a | b; }
};

/// A thread for each element of the result looks for its index among all, so that it adds in their order, alone. The
/// block looks at 256 indices at a time and marks those that any of its elements has, mostly none.
template <class T>
TENON_DEVICE void scatter_add(const Indexed& shape, T* output, const T* x, const T* values,
                              const std::uint32_t* indices) {
  TENON_SHARED std::uint32_t window[2][block_threads];
  TENON_SHARED unsigned marks[2][groups_per_block];
  const std::uint64_t n = shape.outer * shape.extent * shape.inner, i = thread_number();
  const std::uint64_t begin = i - threadIdx.x, end = n - begin < block_threads ? n : begin + block_threads;
  const std::uint64_t first_run = divide(begin, shape.inner).quotient;
  const std::uint64_t others = divide(end - 1, shape.inner).quotient - first_run;
  const std::uint64_t lowest_index = divide(first_run, shape.extent).rest;
  const bool mine = i < n;
  const Division run = divide(mine ? i : begin, shape.inner), block = divide(run.quotient, shape.extent);
  T sum = mine ? x[i] : T(0);
  unsigned current = 0;
  for (std::uint64_t first = 0; first < shape.count; first += block_threads, current ^= 1) {
    bool marked = false;
    if (first + threadIdx.x < shape.count) {
      const std::uint32_t index = indices[first + threadIdx.x];
      const std::uint64_t further = index + (index < lowest_index ? shape.extent : 0) - lowest_index;
      marked = index < shape.extent && further <= others;
      window[current][threadIdx.x] = index;
    }
    const unsigned of_group = combine_lanes((marked ? 1u : 0u) << lane_number(), Or());
    if (lane_number() == 0) marks[current][group_number()] = of_group;
    __syncthreads();  // one is enough: who is a step ahead writes the other half
    for (unsigned group = 0; group < groups_per_block; ++group) {
      for (unsigned rest = marks[current][group], j = group * lanes; rest != 0; rest >>= 1, ++j)
        if ((rest & 1) != 0 && mine && window[current][j] == block.rest)
          sum = sum + values[(block.quotient * shape.count + first + j) * shape.inner + run.rest];
    }
  }
  if (mine) output[i] = sum;
}

}  // namespace
}  // namespace tenon::gpu

using namespace tenon::gpu;

#define TENON_LAYOUT(T, suffix)                                                                                       \
  TENON_KERNEL(rearrange_##suffix, Walk walk, T* output, const T* x) { rearrange(walk, output, x); }                  \
  TENON_KERNEL(rearrange_packs_##suffix, Walk walk, std::int64_t step, std::uint32_t whole, T* output, const T* x) {  \
    rearrange_packs(walk, step, whole != 0, output, x);                                                               \
  }                                                                                                                   \
  TENON_KERNEL(transpose_##suffix, Transposition shape, Walk from, Walk to, T* output, const T* x) {                  \
    transpose(shape, from, to, output, x);                                                                            \
  }                                                                                                                   \
  TENON_KERNEL(copy_blocks_##suffix, BlockCopy shape, T* output, const T* x) { copy_blocks(shape, output, x); }       \
  TENON_KERNEL(copy_blocks_packs_##suffix, BlockCopy shape, Pack<T>* output, const Pack<T>* x) {                      \
    copy_blocks(shape, output, x);                                                                                    \
  }                                                                                                                   \
  TENON_KERNEL(gather_##suffix, Indexed shape, T* output, const T* x, const std::uint32_t* indices, T missing) {      \
    gather(shape, output, x, indices, missing);                                                                       \
  }                                                                                                                   \
  TENON_KERNEL(gather_packs_##suffix, Indexed shape, Pack<T>* output, const Pack<T>* x, const std::uint32_t* indices, \
               T missing) {                                                                                           \
    Pack<T> pack;                                                                                                     \
    for (unsigned i = 0; i < Pack<T>::width; ++i) pack.at[i] = missing;                                               \
    gather(shape, output, x, indices, pack);                                                                          \
  }                                                                                                                   \
  TENON_KERNEL(scatter_add_##suffix, Indexed shape, T* output, const T* x, const T* values,                           \
               const std::uint32_t* indices) {                                                                        \
    scatter_add(shape, output, x, values, indices);                                                                   \
  }

TENON_LAYOUT(float, f32)
TENON_LAYOUT(double, f64)
