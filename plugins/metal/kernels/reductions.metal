// The elements along some axes become one. A sum goes in passes: each team sums one block of 4096 elements of a group,
// and what the blocks of a group gave is a group of the next pass.
#include "teams.h"
#include "walk.h"

using namespace tenon_metal;

namespace tenon_metal {

/// Element i of a group that begins at `first`.
struct Element {
  device const uint* x;
  constant Reduction& shape;
  uint first;
  uint place(uint i) const { return first + walk(i, shape.extents, shape.strides, shape.group_axes, shape.axes); }
  real operator()(uint i) const { return real_of(x[place(i)]); }
};
struct SquaredDifference {
  device const uint* x;
  device const uint* target;
  real operator()(uint i) const {
    const real difference = real_of(x[i]) - real_of(target[i]);
    return difference * difference;
  }
};

inline uint first_of_group(uint group, constant Reduction& shape) {
  return walk(group, shape.extents, shape.strides, 0u, shape.group_axes);
}
/// Teams of neighbouring threads where the members of a group are neighbours, else neighbouring teams.
inline Member member_for(constant Reduction& shape, uint thread_in_group, threadgroup uint* memory) {
  const bool apart = shape.axes != shape.group_axes && shape.strides[shape.axes - 1u] != 1u;
  return apart ? spread_member_of(thread_in_group, memory) : member_of(thread_in_group, memory);
}
inline uint finished(real sum, constant Reduction& shape) {
  return bits(shape.divides != 0u ? divide_strictly(sum, real_from(shape.divisor)) : sum);
}

}  // namespace tenon_metal

kernel void reductions_sum(device const uint* x [[buffer(0)]], device uint* result [[buffer(1)]],
                           constant Reduction& shape [[buffer(2)]], TENON_TEAM_THREAD) {
  threadgroup uint memory[team_threads];
  Member member = member_for(shape, thread_in_group, memory);
  TENON_FOR_EACH_OF_TEAM(i, shape.count, member) {
    const uint begin = i % shape.blocks * 4096u, end = min(shape.members, begin + 4096u);
    const Element at = {x, shape, member.works ? first_of_group(i / shape.blocks, shape) : 0u};
    const real sum = block_sum(begin, end, member, at);
    if (member.works && member.lane == 0u) result[i] = finished(sum, shape);
  }
}

kernel void reductions_squares(device const uint* x [[buffer(0)]], device const uint* target [[buffer(1)]],
                               device uint* result [[buffer(2)]], constant Reduction& shape [[buffer(3)]],
                               TENON_TEAM_THREAD) {
  threadgroup uint memory[team_threads];
  Member member = member_of(thread_in_group, memory);
  TENON_FOR_EACH_OF_TEAM(i, shape.count, member) {
    const uint begin = i * 4096u, end = min(shape.members, begin + 4096u);
    const SquaredDifference at = {x, target};
    const real sum = block_sum(begin, end, member, at);
    if (member.works && member.lane == 0u) result[i] = finished(sum, shape);
  }
}

kernel void reductions_max(device const uint* x [[buffer(0)]], device uint* result [[buffer(1)]],
                           constant Reduction& shape [[buffer(2)]], TENON_TEAM_THREAD) {
  threadgroup uint memory[team_threads];
  Member member = member_for(shape, thread_in_group, memory);
  TENON_FOR_EACH_OF_TEAM(i, shape.count, member) {
    const Element at = {x, shape, member.works ? first_of_group(i, shape) : 0u};
    const real most = greatest(shape.members, member, at);
    if (member.works && member.lane == 0u) result[i] = bits(most);
  }
}

kernel void reductions_max_grad(device const uint* x [[buffer(0)]], device const uint* y [[buffer(1)]],
                                device const uint* upstream [[buffer(2)]], device uint* result [[buffer(3)]],
                                constant Reduction& shape [[buffer(4)]], TENON_THREAD) {
  TENON_FOR_EACH(group, shape.count) {
    const Element at = {x, shape, first_of_group(group, shape)};
    const real most = real_of(y[group]);
    uint winners = 0u;
    for (uint i = 0u; i < shape.members; ++i) winners += at(i) == most ? 1u : 0u;
    const real share = divide_strictly(real_of(upstream[group]), real_from(winners));
    for (uint i = 0u; i < shape.members; ++i) result[at.place(i)] = at(i) == most ? bits(share) : 0u;
  }
}
