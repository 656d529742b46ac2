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
    const uint begin = i % blocks * 4096u, end = min(opaque(members), begin + 4096u);
    real sum = real(0);
    BLOCK_SUM(sum, begin, end, AT)
    result[i] = opaque(divides) != 0u ? divide_strictly(sum, divisor) : sum;
  }
}

#elif defined(ENTRY_MAX)
READS(0, x);
WRITES(1, result);
void main() {
  FOR_EACH(group, count) {
    const uint first = walk(group, 0u, group_axes);
    real greatest = x[first];
    for (uint i = 1u; i < opaque(members); ++i) greatest = strict_maximum(greatest, x[first + walk(i, group_axes, axes)]);
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
    for (uint i = 0u; i < opaque(members); ++i) winners += x[first + walk(i, group_axes, axes)] == greatest ? 1u : 0u;
    const real share = divide_strictly(upstream[group], real(winners));
    for (uint i = 0u; i < opaque(members); ++i) {
      const uint at = first + walk(i, group_axes, axes);
      result[at] = x[at] == greatest ? share : real(0);
    }
  }
}
#endif
