// teams.h: threads that work on one row together, and sum it in the order of docs/numerics.md, the sixteen-lane tree.
//
// A lane of the tree is a thread. Sixteen neighbouring threads of a warp are enough for a short row. A row of one block
// of the tree (4096 elements) gets a block of threads: all of them compute elements, coalesced, and put them into
// shared memory, where sixteen fold them. For a longer row each of the sixteen groups of a block folds every sixteenth
// block of the tree. Every thread visits the same elements in each pass over a row but that for the greatest, so what
// it wrote it may read again. All threads of a team come to every call.
#pragma once
#include "portable.h"
#include "tenon/numerics.h"

namespace tenon::gpu {

TENON_DEVICE unsigned lane_number() { return threadIdx.x % lanes; }
TENON_DEVICE unsigned group_number() { return threadIdx.x / lanes; }

struct Plus {
  template <class T>
  TENON_DEVICE T operator()(T a, T b) const {
    return a + b;
  }
};
struct Greater {
  template <class T>
  TENON_DEVICE T operator()(T a, T b) const {
    return strict::maximum(a, b);
  }
};

/// The lanes' values by halves, as the tree combines them; every one of the sixteen threads gets the result.
template <class T, class Combine>
TENON_DEVICE T combine_lanes(T value, const Combine& combine) {
#pragma unroll
  for (int half = lanes / 2; half != 0; half /= 2) value = combine(value, shuffle_xor(value, half));
  return value;
}

/// One lane's part of the elements [begin, end), joined to `start`.
template <class T, class Combine, class At>
TENON_DEVICE T fold_lane(T start, std::uint64_t begin, std::uint64_t end, const Combine& combine, const At& at) {
#pragma unroll 4
  for (std::uint64_t i = begin + lane_number(); i < end; i += lanes) start = combine(start, at(i));
  return start;
}

template <class T>
TENON_DEVICE T lowest() {
  return static_cast<T>(-strict::detail::kInfinity);
}

/// Sixteen threads for a short row.
template <class T>
struct LaneTeam {
  std::uint64_t length;

  TENON_DEVICE bool leads() const { return lane_number() == 0; }
  template <class At>
  TENON_DEVICE T sum(const At& at) const {
    return combine_lanes(fold_lane(T(0), 0, length, Plus(), at), Plus());
  }
  template <class At>
  TENON_DEVICE T greatest(const At& at) const {
    return combine_lanes(fold_lane(lowest<T>(), 0, length, Greater(), at), Greater());
  }
  template <class Visit>
  TENON_DEVICE void each(const Visit& visit) const {
    for (std::uint64_t i = lane_number(); i < length; i += lanes) visit(i);
  }
};

/// What the threads of a block share for a row.
template <class T>
struct TeamMemory {
  static constexpr unsigned stage = 4 * block_threads;
  T staged[2][stage];
  T few[2][lanes];
};

/// The greatest of a row, by a block of threads in whatever order.
template <class T, class At>
TENON_DEVICE T greatest_of_row(std::uint64_t length, TeamMemory<T>& memory, const At& at) {
  T mine = lowest<T>();
#pragma unroll 4
  for (std::uint64_t i = threadIdx.x; i < length; i += block_threads) mine = strict::maximum(mine, at(i));
  mine = combine_lanes(mine, Greater());
  if (lane_number() == 0) memory.few[0][group_number()] = mine;
  __syncthreads();
  const T result = combine_lanes(memory.few[0][lane_number()], Greater());
  __syncthreads();  // before anybody writes there again
  return result;
}

/// A block of threads for a row of one block of the tree.
template <class T>
struct StagedTeam {
  std::uint64_t length;
  TeamMemory<T>& memory;

  TENON_DEVICE bool leads() const { return threadIdx.x == 0; }
  template <class At>
  TENON_DEVICE T greatest(const At& at) const {
    return greatest_of_row(length, memory, at);
  }
  template <class Visit>
  TENON_DEVICE void each(const Visit& visit) const {
    for (std::uint64_t i = threadIdx.x; i < length; i += block_threads) visit(i);
  }

  /// One group folds what is staged while all compute what comes next.
  template <class At>
  TENON_DEVICE T sum(const At& at) const {
    constexpr unsigned stage = TeamMemory<T>::stage;
    T lane = 0;
    unsigned current = 0;
    for (std::uint64_t begin = 0; begin < length; begin += stage, current ^= 1) {
      const unsigned count = length - begin < stage ? static_cast<unsigned>(length - begin) : stage;
      T* staged = memory.staged[current];
      for (unsigned i = threadIdx.x; i < count; i += block_threads) staged[i] = at(begin + i);
      __syncthreads();  // one is enough: who is a step ahead writes the other half
      if (group_number() != 0) continue;
#pragma unroll 8
      for (unsigned i = lane_number(); i < count; i += lanes) lane = lane + staged[i];
    }
    lane = combine_lanes(lane, Plus());
    if (threadIdx.x == 0) memory.few[1][0] = lane;
    __syncthreads();
    const T result = memory.few[1][0];
    __syncthreads();  // before anybody writes there again
    return result;
  }
};

/// The levels of the tree above the first, in the lanes' threads: each holds what it has folded so far, so that a row
/// of any length needs no memory for them. All threads of a block hold the same.
template <class T>
class UpperLevels {
 public:
  /// Sums of sixteen blocks of the first level, of which `first` is the first; each thread has that of its lane.
  TENON_DEVICE void add_round(std::uint64_t first, T value, bool mine) {
    if (mine) lane_[0] = lane_[0] + value;
    if ((first + lanes) % strict::kSumBlock == 0) close<0>(first / strict::kSumBlock);
  }
  /// Of so many blocks of the first level.
  TENON_DEVICE T sum(std::uint64_t blocks) { return sum_from<0>(blocks); }

 private:
  static constexpr unsigned levels = 3;  // above them a row has 2^48 elements

  /// A block of this level is complete: the next level's element `number`.
  template <unsigned level>
  TENON_DEVICE void close(std::uint64_t number) {
    if constexpr (level + 1 < levels) {
      const T value = combine_lanes(lane_[level], Plus());
      lane_[level] = 0;
      if (lane_number() == number % lanes) lane_[level + 1] = lane_[level + 1] + value;
      if ((number + 1) % strict::kSumBlock == 0) close<level + 1>(number / strict::kSumBlock);
    }
  }
  template <unsigned level>
  TENON_DEVICE T sum_from(std::uint64_t count) {
    if constexpr (level + 1 < levels) {
      if (count > strict::kSumBlock) {
        if (count % strict::kSumBlock != 0) close<level>(count / strict::kSumBlock);
        return sum_from<level + 1>((count + strict::kSumBlock - 1) / strict::kSumBlock);
      }
    }
    return combine_lanes(lane_[level], Plus());
  }

  T lane_[levels] = {};
};

/// A block of threads for a row of any length.
template <class T>
struct BlockTeam {
  std::uint64_t length;
  TeamMemory<T>& memory;

  TENON_DEVICE bool leads() const { return threadIdx.x == 0; }
  template <class At>
  TENON_DEVICE T greatest(const At& at) const {
    return greatest_of_row(length, memory, at);
  }
  template <class Visit>
  TENON_DEVICE void each(const Visit& visit) const {
    for (std::uint64_t begin = group_number() * strict::kSumBlock; begin < length;
         begin += groups_per_block * strict::kSumBlock) {
      const std::uint64_t end = end_of(begin);
      for (std::uint64_t i = begin + lane_number(); i < end; i += lanes) visit(i);
    }
  }

  // The groups of a warp shuffle together, so all go round as often, some with nothing to fold.
  template <class At>
  TENON_DEVICE T sum(const At& at) const {
    const std::uint64_t blocks = (length + strict::kSumBlock - 1) / strict::kSumBlock;
    UpperLevels<T> upper;
    unsigned current = 0;
    for (std::uint64_t first = 0; first < blocks; first += groups_per_block, current ^= 1) {
      const std::uint64_t block = first + group_number(), begin = block * strict::kSumBlock;
      const T lane = block < blocks ? fold_lane(T(0), begin, end_of(begin), Plus(), at) : T(0);
      const T value = combine_lanes(lane, Plus());
      if (lane_number() == 0) memory.few[current][group_number()] = value;
      __syncthreads();  // one is enough: who is a step ahead writes the other half
      upper.add_round(first, memory.few[current][lane_number()], first + lane_number() < blocks);
    }
    const T result = upper.sum(blocks);
    __syncthreads();  // before anybody writes there again
    return result;
  }

 private:
  TENON_DEVICE std::uint64_t end_of(std::uint64_t begin) const {
    return length - begin < strict::kSumBlock ? length : begin + strict::kSumBlock;
  }
};
static_assert(groups_per_block == lanes, "a round gives each lane of the second level one element");

/// Calls body(team, row) for this thread's row. A team without a row has the length 0.
template <class T, class Body>
TENON_DEVICE void for_my_row(std::uint64_t rows, std::uint64_t length, const Body& body) {
  TENON_SHARED TeamMemory<T> memory;
  if (length <= max_lane_row) {
    const std::uint64_t row = std::uint64_t{blockIdx.x} * groups_per_block + group_number();
    const bool mine = row < rows;
    body(LaneTeam<T>{mine ? length : 0}, mine ? row : 0);
  } else if (length <= strict::kSumBlock) {
    body(StagedTeam<T>{length, memory}, std::uint64_t{blockIdx.x});
  } else {
    body(BlockTeam<T>{length, memory}, std::uint64_t{blockIdx.x});
  }
}

}  // namespace tenon::gpu
