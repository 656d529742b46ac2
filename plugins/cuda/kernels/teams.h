// teams.h: threads that work on one row together, and sum it in the order of docs/numerics.md, the sixteen-lane tree.
//
// A lane of the tree is a thread. Sixteen neighbouring threads of a warp are enough for a row of one block of the tree
// (4096 elements); a longer row gets a whole block of threads, sixteen such groups, each of which takes every sixteenth
// block of the tree. Every thread visits the same elements in each pass over a row, so what it wrote it may read again.
// All threads of a team come to every call.
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

/// One lane's part of the elements [begin, end).
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

/// Sixteen threads for a row of at most 4096 elements.
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

/// A block of threads for a longer row. `partial` is shared.
template <class T>
struct BlockTeam {
  std::uint64_t length;
  T* partial;

  TENON_DEVICE bool leads() const { return threadIdx.x == 0; }
  template <class At>
  TENON_DEVICE T sum(const At& at) const {
    return fold(T(0), Plus(), at);
  }
  template <class At>
  TENON_DEVICE T greatest(const At& at) const {
    return fold(lowest<T>(), Greater(), at);
  }
  template <class Visit>
  TENON_DEVICE void each(const Visit& visit) const {
    for (std::uint64_t begin = group_number() * strict::kSumBlock; begin < length;
         begin += groups_per_block * strict::kSumBlock) {
      const std::uint64_t end = end_of(begin);
      for (std::uint64_t i = begin + lane_number(); i < end; i += lanes) visit(i);
    }
  }

 private:
  TENON_DEVICE std::uint64_t end_of(std::uint64_t begin) const {
    return length - begin < strict::kSumBlock ? length : begin + strict::kSumBlock;
  }

  // The groups of a warp shuffle together, so all go round as often, some with nothing to fold.
  template <class Combine, class At>
  TENON_DEVICE T fold(T start, const Combine& combine, const At& at) const {
    const std::uint64_t blocks = (length + strict::kSumBlock - 1) / strict::kSumBlock;
    for (std::uint64_t first = 0; first < blocks; first += groups_per_block) {
      const std::uint64_t block = first + group_number(), begin = block * strict::kSumBlock;
      const T lane = block < blocks ? fold_lane(start, begin, end_of(begin), combine, at) : start;
      const T value = combine_lanes(lane, combine);
      if (block < blocks && lane_number() == 0) partial[block] = value;
    }
    __syncthreads();
    const T* values = partial;
    const T lane = fold_lane(start, 0, blocks, combine, [=](std::uint64_t i) { return values[i]; });
    const T result = combine_lanes(lane, combine);
    __syncthreads();  // before the next fold writes there
    return result;
  }
};

/// Calls body(team, row) for this thread's row. A team without a row has the length 0.
template <class T, class Body>
TENON_DEVICE void for_my_row(std::uint64_t rows, std::uint64_t length, const Body& body) {
  TENON_SHARED T partial[max_row_blocks];
  if (length <= strict::kSumBlock) {
    const std::uint64_t row = std::uint64_t{blockIdx.x} * groups_per_block + group_number();
    const bool mine = row < rows;
    body(LaneTeam<T>{mine ? length : 0}, mine ? row : 0);
  } else {
    body(BlockTeam<T>{length, partial}, std::uint64_t{blockIdx.x});
  }
}

}  // namespace tenon::gpu
