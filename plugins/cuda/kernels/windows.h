// windows.h: operands of tiled products (products.h) that no matrix holds: taps of the windows of an image, looked up
// one by one, and matrices whose rows are cut into runs.
#pragma once
#include "products.h"
#include "taps.h"

namespace tenon::gpu {

/// Elements along k by their places in planes that k counts one after the other: look(place, plane). k goes on without
/// a division.
template <TapExtent extent, class T, unsigned Side, unsigned Axes, class Look>
class Gathered {
 public:
  using Tile = ProductTile<T, Side>;

  TENON_DEVICE Gathered(const Taps<Axes>& taps, const FetchDown<T, Side>& fetch, const Look& look)
      : taps_(taps), fetch_(fetch), look_(look) {
    constexpr unsigned skipped = Tile::depth - (Tile::fetched - 1);
    const auto size = static_cast<std::uint32_t>(taps.*extent);
    place_ = place_of<extent>(taps, fetch.k % size);
    plane_ = fetch.k / size;
    skip_ = place_of<extent>(taps, skipped % size);
    skipped_planes_ = skipped / size;
  }

  TENON_DEVICE void load(std::uint64_t left) {
#pragma unroll
    for (unsigned i = 0; i < Tile::fetched; ++i) {
      values_.at[i] = fetch_.k + i < left ? look_(place_, plane_) : T(0);
      if (i + 1 < Tile::fetched) plane_ += advance<extent>(taps_, place_);
    }
    plane_ += skipped_planes_ + advance<extent>(taps_, place_, skip_);
  }
  TENON_DEVICE void store(typename Tile::Elements& tile) const { fetch_.store(tile, values_); }

 private:
  const Taps<Axes>& taps_;
  FetchDown<T, Side> fetch_;
  Look look_;
  Place<Axes> place_, skip_;
  std::uint32_t plane_, skipped_planes_;
  Pack<T> values_;
};

template <TapExtent extent, unsigned Side, class T, unsigned Axes, class Look>
TENON_DEVICE auto gathered(const Taps<Axes>& taps, const FetchDown<T, Side>& fetch, const Look& look) {
  return Gathered<extent, T, Side, Axes, Look>(taps, fetch, look);
}

/// Rows whose elements along k stand in runs: of `run` elements each, `run_stride` apart; the rows `row_stride`.
struct Runs {
  std::uint32_t run;
  std::uint64_t run_stride, row_stride;
};

template <class T, unsigned Side>
class InRuns {
 public:
  using Tile = ProductTile<T, Side>;

  TENON_DEVICE InRuns(const T* matrix, std::uint64_t first, std::uint64_t outer, const Runs& runs)
      : fetch_(FetchDown<T, Side>::along_depth()),
        runs_(runs),
        from_(matrix + no_further(first + fetch_.outer, outer) * runs.row_stride +
              fetch_.k / runs.run * runs.run_stride),
        place_(fetch_.k % runs.run) {}

  TENON_DEVICE void load(std::uint64_t left) {
    const unsigned count = fetch_.k < left ? inside<Pack<T>>(left - fetch_.k) : 0;
    if (runs_.run % Tile::fetched == 0) {
      values_ = load_piece<Pack<T>>(from_ + place_, count, true);
    } else {
      const T* from = from_;
      std::uint32_t place = place_;
#pragma unroll
      for (unsigned i = 0; i < Tile::fetched; ++i) {
        values_.at[i] = i < count ? from[place] : T(0);
        if (++place == runs_.run) {
          place = 0;
          from += runs_.run_stride;
        }
      }
    }
    place_ += Tile::depth % runs_.run;
    from_ += Tile::depth / runs_.run * runs_.run_stride;
    if (place_ >= runs_.run) {
      place_ -= runs_.run;
      from_ += runs_.run_stride;
    }
  }
  TENON_DEVICE void store(typename Tile::Elements& tile) const { fetch_.store(tile, values_); }

 private:
  FetchDown<T, Side> fetch_;
  Runs runs_;
  const T* from_;
  std::uint32_t place_;
  Pack<T> values_;
};

}  // namespace tenon::gpu
