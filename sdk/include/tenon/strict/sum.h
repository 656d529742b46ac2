// The order of every strict sum: the sixteen-lane tree.
//
// Within a block of 4096 elements lane j (0 ... 15) folds the elements j, j + 16, j + 32 ... from +0 in ascending
// order; the lanes then combine as (j, j + 8), (j, j + 4), (j, j + 2), (j, j + 1).  The blocks' sums form a new
// sequence, which is reduced by the same rule until one value is left.  A last, shorter block behaves as if filled up
// with +0.  The sum of nothing is +0, and so is that of a single -0, since a lane begins at +0.
//
// The order depends on the number of elements alone, so a vector kernel with its lanes in registers, a GPU with its
// threads, and this text agree to the bit.
//
// Ownership: none, and nothing is allocated.  Threads: any.
#pragma once

#include <cstdint>

#include "tenon/strict/base.h"

namespace tenon::strict {

constexpr std::uint64_t kSumLanes = 16;
constexpr std::uint64_t kSumBlock = 4096;

// The sum of sixteen lanes, which it overwrites.
template <class T>
TENON_DEVICE_FN constexpr T combine_lanes(T (&lanes)[kSumLanes]) {
  for (std::uint64_t half = kSumLanes / 2; half != 0; half /= 2) {
    for (std::uint64_t lane = 0; lane < half; ++lane) lanes[lane] = lanes[lane] + lanes[lane + half];
  }
  return lanes[0];
}

// The sum of one block: at(0) ... at(count - 1), count <= kSumBlock.
template <class T, class At>
TENON_DEVICE_FN constexpr T block_sum(std::uint64_t count, At at) {
  T lanes[kSumLanes] = {};
  std::uint64_t row = 0;
  for (; row + kSumLanes <= count; row += kSumLanes) {
    for (std::uint64_t lane = 0; lane < kSumLanes; ++lane) lanes[lane] = lanes[lane] + at(row + lane);
  }
  for (std::uint64_t lane = 0; row + lane < count; ++lane) lanes[lane] = lanes[lane] + at(row + lane);
  return combine_lanes(lanes);
}

namespace detail {

// The tree over at(begin) ... at(end - 1) whose root has one child per `span` elements, a power of kSumBlock; the last
// child may have fewer.  The recursion goes one level per factor of 4096, so at most six deep.
template <class T, class At>
TENON_DEVICE_FN constexpr T subtree_sum(std::uint64_t begin, std::uint64_t end, std::uint64_t span, At& at) {
  if (span == 1) return block_sum<T>(end - begin, [&](std::uint64_t i) { return at(begin + i); });
  const std::uint64_t children = (end - begin - 1) / span + 1;
  return block_sum<T>(children, [&](std::uint64_t child) {
    const std::uint64_t first = begin + child * span;
    return subtree_sum<T>(first, end - first < span ? end : first + span, span / kSumBlock, at);
  });
}

}  // namespace detail

// The sum of at(0) ... at(count - 1), each asked for once and in ascending order.
template <class T, class At>
TENON_DEVICE_FN constexpr T tree_sum(std::uint64_t count, At at) {
  std::uint64_t span = 1;  // elements under one child of the root
  while ((count - (count != 0)) / span >= kSumBlock) span *= kSumBlock;
  return detail::subtree_sum<T>(0, count, span, at);
}

}  // namespace tenon::strict
