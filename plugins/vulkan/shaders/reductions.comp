// The elements along some axes become one. A sum goes in passes: each invocation sums one block of 4096 elements of a
// group, and what the blocks of a group gave is a group of the next pass.
// entry sum ENTRY_SUM
// entry squares ENTRY_SQUARES
// entry max ENTRY_MAX
// entry max_grad ENTRY_MAX_GRAD
#version 460
#extension GL_GOOGLE_include_directive : require
#include "tenon.glsl"

layout(push_constant) uniform Push {
  uint extents[8], strides[8];
  uint group_axes, axes;  // the axes of the groups, then those of their members
  uint count;             // groups, times blocks for sums
  uint members, blocks;
  uint divides;           // the last pass of a mean
  real divisor;
};
#include "walk.glsl"

#if defined(ENTRY_SUM) || defined(ENTRY_SQUARES)
READS(0, x);
#if defined(ENTRY_SQUARES)
READS(1, target);
WRITES(2, result);
real squared(uint i) {
  const real difference = x[i] - target[i];
  return difference * difference;
}
#define AT(i) squared(first + walk(i, group_axes, axes))
#else
WRITES(1, result);
#define AT(i) x[first + walk(i, group_axes, axes)]
#endif
void main() {
  FOR_EACH(i, count) {
    const uint first = walk(i / blocks, 0u, group_axes);
    const uint begin = i % blocks * 4096u, end = min(members, begin + 4096u);
    real lanes[16];
    CLEAR_LANES(lanes);
    uint row = begin;
    for (; row + 16u <= end; row += 16u) {
      for (uint lane = 0u; lane < 16u; ++lane) lanes[lane] = lanes[lane] + AT(row + lane);
    }
    for (uint lane = 0u; lane < 16u; ++lane) {
      if (row + lane < end) lanes[lane] = lanes[lane] + AT(row + lane);
    }
    COMBINE_LANES(lanes);
    result[i] = divides != 0u ? divide_strictly(lanes[0], divisor) : lanes[0];
  }
}

#elif defined(ENTRY_MAX)
READS(0, x);
WRITES(1, result);
void main() {
  FOR_EACH(group, count) {
    const uint first = walk(group, 0u, group_axes);
    real greatest = x[first];
    for (uint i = 1u; i < members; ++i) greatest = strict_maximum(greatest, x[first + walk(i, group_axes, axes)]);
    result[group] = greatest;
  }
}

#else
READS(0, x);
READS(1, y);
READS(2, upstream);
WRITES(3, result);
void main() {
  FOR_EACH(group, count) {
    const uint first = walk(group, 0u, group_axes);
    const real greatest = y[group];
    uint winners = 0u;
    for (uint i = 0u; i < members; ++i) winners += x[first + walk(i, group_axes, axes)] == greatest ? 1u : 0u;
    const real share = divide_strictly(upstream[group], real(winners));
    for (uint i = 0u; i < members; ++i) {
      const uint at = first + walk(i, group_axes, axes);
      result[at] = x[at] == greatest ? share : real(0);
    }
  }
}
#endif
