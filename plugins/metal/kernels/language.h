// language.h: what every kernel begins with. Strict kernels compute on bit patterns (exact.h), so arrays are bound as
// unsigned integers and no load, store or move can flush a subnormal.
//
// Pure functions; any thread.
#pragma once
#include <metal_stdlib>

#include "constants.h"

// Older compilers know the second alone.
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wunknown-pragmas"
#pragma METAL fp contract(off)
#pragma clang diagnostic pop
#pragma clang fp contract(off)

using namespace metal;

namespace tenon_metal {

inline uint bits_of(float x) { return as_type<uint>(x); }
inline float float_of(uint bits) { return as_type<float>(bits); }

/// The significand's bits from `drop` on, rounded to nearest even; 1 <= drop. The lowest bit of `significand` may stand
/// for all that was lost below it.
inline ulong rounded(ulong significand, int drop) {
  if (drop > 64) return 0ul;
  const ulong kept = drop == 64 ? 0ul : significand >> drop;
  const ulong rest = significand << (64 - drop);
  const bool up = rest > 0x8000000000000000ul || (rest == 0x8000000000000000ul && (kept & 1ul) != 0ul);
  return kept + (up ? 1ul : 0ul);
}

// -- four neighbours ----------------------------------------------------------------------------------------

/// Elements first ... first + 3 of `count`; 0 beyond. `first` is a multiple of four.
inline uint4 load_quad(device const uint* x, uint first, uint count) {
  if (first + 4u <= count) return *(device const uint4*)(x + first);
  uint4 quad = uint4(0u);
  for (uint i = 0u; first + i < count; ++i) quad[i] = x[first + i];
  return quad;
}
inline void store_quad(device uint* x, uint first, uint count, uint4 quad) {
  if (first + 4u <= count) {
    *(device uint4*)(x + first) = quad;
    return;
  }
  for (uint i = 0u; first + i < count; ++i) x[first + i] = quad[i];
}

}  // namespace tenon_metal

// A kernel's number among so many threads, and the loops over elements and over quads of them; neighbouring threads
// meet neighbours in memory.
#define TENON_THREAD uint thread_number [[thread_position_in_grid]], uint thread_count [[threads_per_grid]]
#define TENON_FOR_EACH(i, count) for (uint i = thread_number; i < (count); i += thread_count)
#define TENON_FOR_EACH_QUAD(i, count) for (uint i = 4u * thread_number; i < (count); i += 4u * thread_count)
