// reductions.h: many elements become one, for many results at once: one level of the sixteen-lane tree in one launch.
//
// A cell is one block of the tree (4096 members) of one result; cells are numbered block by block, so that the results
// of a level stand as [block][result], and the next level folds those the same way. Where a result's members are
// neighbours in memory sixteen threads serve a cell of few of them, a block of threads one of many; where neighbouring
// results are, a block takes sixteen results by sixteen lanes, so that either way neighbouring threads read
// neighbouring elements.
#pragma once
#include "divide.h"
#include "teams.h"
#include "walk.h"

namespace tenon::gpu {

struct SumOf {
  template <class Team, class At>
  TENON_DEVICE auto operator()(const Team& team, const At& at) const {
    return team.sum(at);
  }
};
struct GreatestOf {
  template <class Team, class At>
  TENON_DEVICE auto operator()(const Team& team, const At& at) const {
    return team.greatest(at);
  }
};

struct Cells {
  std::uint64_t results, members;

  /// No members are one block of nothing.
  TENON_DEVICE_FN std::uint64_t blocks() const {
    return members == 0 ? 1 : (members + strict::kSumBlock - 1) / strict::kSumBlock;
  }
  TENON_DEVICE std::uint64_t end_of(std::uint64_t begin) const {
    return members - begin < strict::kSumBlock ? members : begin + strict::kSumBlock;
  }
};

/// at(result, i) is member i of a result; finish(value) what becomes of the last one left.
template <class T, class Combine, class At, class Finish>
TENON_DEVICE void reduce_neighbours(const Cells& cells, T* output, T start, const Combine& combine, const At& at,
                                    const Finish& finish) {
  const std::uint64_t cell = std::uint64_t{blockIdx.x} * groups_per_block + group_number();
  const bool mine = cell < cells.results * cells.blocks();
  T lane = start;
  if (mine) {
    const Division place = divide(cell, cells.results);
    const std::uint64_t begin = place.quotient * strict::kSumBlock;
    lane = fold_lane(start, begin, cells.end_of(begin), combine, [&](std::uint64_t i) { return at(place.rest, i); });
  }
  const T value = combine_lanes(lane, combine);
  if (mine && lane_number() == 0) output[cell] = cells.blocks() == 1 ? finish(value) : value;
}

/// A block of threads for each cell; fold(team, at) gives its value.
template <class T, class Fold, class At, class Finish>
TENON_DEVICE void reduce_staged(const Cells& cells, T* output, const Fold& fold, const At& at, const Finish& finish) {
  TENON_SHARED TeamMemory<T> memory;
  const Division cell = divide(blockIdx.x, cells.results);
  const std::uint64_t begin = cell.quotient * strict::kSumBlock;
  const T value = fold(StagedTeam<T>{cells.end_of(begin) - begin, memory},
                       [&](std::uint64_t i) { return at(cell.rest, begin + i); });
  if (threadIdx.x == 0) output[blockIdx.x] = cells.blocks() == 1 ? finish(value) : value;
}

/// reduce_neighbours with lanes and results changed over: thread t has result t % 16 of the block's, and lane t / 16.
template <class T, class Combine, class At, class Finish>
TENON_DEVICE void reduce_columns(const Cells& cells, T* output, T start, const Combine& combine, const At& at,
                                 const Finish& finish) {
  TENON_SHARED T values[lanes][lanes + 1];
  const std::uint64_t tiles = (cells.results + lanes - 1) / lanes;
  const std::uint64_t block = blockIdx.x / tiles, begin = block * strict::kSumBlock;
  const unsigned column = threadIdx.x % lanes, lane = threadIdx.x / lanes;
  const std::uint64_t result = blockIdx.x % tiles * lanes + column;
  T value = start;
  if (result < cells.results) {
    const std::uint64_t end = cells.end_of(begin);
#pragma unroll 8
    for (std::uint64_t i = begin + lane; i < end; i += lanes) value = combine(value, at(result, i));
  }
  values[lane][column] = value;
  __syncthreads();
  // Changed over again, so that the lanes of a result are neighbours, which shuffle.
  value = combine_lanes(values[threadIdx.x % lanes][threadIdx.x / lanes], combine);
  const std::uint64_t of = blockIdx.x % tiles * lanes + threadIdx.x / lanes;
  if (lane_number() == 0 && of < cells.results)
    output[block * cells.results + of] = cells.blocks() == 1 ? finish(value) : value;
}

}  // namespace tenon::gpu
