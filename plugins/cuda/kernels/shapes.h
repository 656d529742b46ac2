// shapes.h: what the host tells kernels about shapes; passed by value, like Walk of walk.h. Values; any thread.
#pragma once
#include <cstdint>

#include "tenon/strict/sum.h"

namespace tenon::gpu {

// -- threads ------------------------------------------------------------------------------------------------

constexpr unsigned block_threads = 256;        // of every launch
constexpr unsigned lanes = strict::kSumLanes;  // threads that fold one block of a sum
constexpr unsigned groups_per_block = block_threads / lanes;
/// Sixteen threads serve a row of so many elements, a block of them a longer one.
constexpr std::uint64_t max_lane_row = 512;

// -- shapes -------------------------------------------------------------------------------------------------

/// Of a product of matrices: (rows, depth) by (depth, columns).
struct Extents {
  std::uint64_t rows, columns, depth;

  TENON_DEVICE_FN std::uint64_t tiles(unsigned side) const {
    return ((rows + side - 1) / side) * ((columns + side - 1) / side);
  }
};

/// Matrices to be transposed: x's columns are neighbours, and the result's rows are.
struct Transposition {
  static constexpr unsigned side = 32;  // of a tile

  std::uint64_t rows, columns;  // of x's matrix
  std::int64_t from_stride;     // between x's rows
  std::int64_t to_stride;       // between the result's rows, which are x's columns

  TENON_DEVICE_FN std::uint64_t tiles() const { return ((rows + side - 1) / side) * ((columns + side - 1) / side); }
};

/// Blocks of elements that move from some place in x's blocks to some place in the result's.
struct BlockCopy {
  std::uint64_t blocks, count;  // elements of each
  std::uint64_t from_stride, from_skipped, to_stride, to_skipped;
};

/// x as `outer` blocks of `extent` runs of `inner` elements; `count` indices name runs.
struct Indexed {
  std::uint64_t outer, extent, inner, count;
};

/// Of fft_fno: channels of n points, of which the first modes matter. The modes of a channel are all real parts, then
/// all imaginary ones.
struct Spectrum {
  std::uint64_t points, modes, samples, inputs, outputs;

  TENON_DEVICE_FN std::uint64_t width() const { return 2 * modes; }
  /// How often a mode stands in the whole spectrum: its conjugate is another mode, or itself.
  template <class T>
  TENON_DEVICE_FN T multiplicity(std::uint64_t k) const {
    return k == 0 || 2 * k == points ? T(1) : T(2);
  }
  /// What the inverse transform divides by; without points it divides nothing.
  template <class T>
  TENON_DEVICE_FN T divisor() const {
    return static_cast<T>(points == 0 ? 1 : points);
  }
};

/// A pattern of 1 to 16 bytes.
struct Pattern {
  static constexpr unsigned max_bytes = 16;
  unsigned char bytes[max_bytes];
};

}  // namespace tenon::gpu
