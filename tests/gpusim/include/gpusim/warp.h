// warp.h: operations of a warp, with a mask as CUDA has them and without one as HIP has them.
//
// Masks have 64 bits. CUDA's own functions take 32; a mask of 32 ones names only half of a warp of 64, and is reported.
#pragma once
#include <cstring>

#include "gpusim/calls.h"

namespace gpusim {

template <class T>
T shuffled(WarpCall call, std::uint64_t mask, bool masked, T value, int argument, int width) {
  static_assert(sizeof(T) == 4 || sizeof(T) == 8, "shuffles take 4 or 8 bytes");
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof value);
  bits = call_collective(call, mask, masked, bits, argument, width);
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

}  // namespace gpusim

#define GPUSIM_SHUFFLE(name, call)                                                           \
  template <class T>                                                                         \
  T name##_sync(std::uint64_t mask, T value, int argument, int width = 0) {                  \
    return ::gpusim::shuffled(::gpusim::WarpCall::call, mask, true, value, argument, width); \
  }                                                                                          \
  template <class T>                                                                         \
  T name(T value, int argument, int width = 0) {                                             \
    return ::gpusim::shuffled(::gpusim::WarpCall::call, 0, false, value, argument, width);   \
  }

GPUSIM_SHUFFLE(__shfl, shuffle)
GPUSIM_SHUFFLE(__shfl_up, shuffle_up)
GPUSIM_SHUFFLE(__shfl_down, shuffle_down)
GPUSIM_SHUFFLE(__shfl_xor, shuffle_xor)

#undef GPUSIM_SHUFFLE

inline std::uint64_t __ballot_sync(std::uint64_t mask, bool vote) {
  return ::gpusim::call_collective(::gpusim::WarpCall::ballot, mask, true, vote, 0, 0);
}
inline std::uint64_t __ballot(bool vote) {
  return ::gpusim::call_collective(::gpusim::WarpCall::ballot, 0, false, vote, 0, 0);
}
inline bool __any_sync(std::uint64_t mask, bool vote) { return __ballot_sync(mask, vote) != 0; }
inline bool __all_sync(std::uint64_t mask, bool vote) { return __ballot_sync(mask, !vote) == 0; }
inline bool __any(bool vote) { return __ballot(vote) != 0; }
inline bool __all(bool vote) { return __ballot(!vote) == 0; }

inline void __syncwarp() { ::gpusim::call_collective(::gpusim::WarpCall::sync, 0, false, 0, 0, 0); }
inline void __syncwarp(std::uint64_t mask) { ::gpusim::call_collective(::gpusim::WarpCall::sync, mask, true, 0, 0, 0); }
inline unsigned __lane_id() { return ::gpusim::call_lane(); }
