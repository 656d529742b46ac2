// teams.h: sixteen threads that work on one row or one sum together, in the order of docs/numerics.md, the
// sixteen-lane tree: a lane of the tree is a thread. A threadgroup has sixteen teams.
//
// All threads of a threadgroup come to every call here, those of a team without a row too, and all with one `count`.
// A thread meets the elements i with i % 16 = its lane in each pass over a row, so what it wrote it may read again.
#pragma once
#include "exact.h"

namespace tenon_metal {

struct Member {
  uint lane, team;
  bool works;                // has a row
  threadgroup uint* shared;  // sixteen of the team's own
};

/// Sixteen neighbouring threads, which meet neighbouring elements.
inline Member member_of(uint thread_in_group, threadgroup uint* memory) {
  Member member;
  member.lane = thread_in_group % team_lanes;
  member.team = thread_in_group / team_lanes;
  member.works = true;
  member.shared = memory + team_lanes * member.team;
  return member;
}
/// Sixteen threads of which neighbours are in neighbouring teams, for rows whose elements lie apart.
inline Member spread_member_of(uint thread_in_group, threadgroup uint* memory) {
  return member_of(thread_in_group % teams * team_lanes + thread_in_group / teams, memory);
}

/// True, whether the team works or comes along.
inline bool begins(thread Member& member, bool works) {
  member.works = works;
  return true;
}

struct Plus {
  real operator()(real a, real b) const { return a + b; }
};
struct Greater {
  real operator()(real a, real b) const { return strict_maximum(a, b); }
};

/// The lanes' values by halves, as the tree combines them; every thread of the team gets the result.
template <class Combine>
inline real combined(real mine, Member member, Combine combine) {
  member.shared[member.lane] = bits(mine);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  real lanes[team_lanes / 2];
  for (uint i = 0u; i < team_lanes / 2; ++i)
    lanes[i] = combine(real_of(member.shared[i]), real_of(member.shared[i + team_lanes / 2]));
  for (uint width = team_lanes / 4; width != 0u; width /= 2u) {
    for (uint i = 0u; i < width; ++i) lanes[i] = combine(lanes[i], lanes[i + width]);
  }
  threadgroup_barrier(mem_flags::mem_threadgroup);  // before anybody writes there again
  return lanes[0];
}

/// One lane's part of the elements [begin, end), joined to `start`.
template <class Combine, class At>
inline real fold_lane(real start, uint begin, uint end, Member member, Combine combine, At at) {
  if (!member.works) return start;
  for (uint i = begin + member.lane; i < end; i += team_lanes) start = combine(start, at(i));
  return start;
}

/// The sum of at(begin) ... at(end - 1), at most 4096 elements.
template <class At>
inline real block_sum(uint begin, uint end, Member member, At at) {
  return combined(fold_lane(real_of(0u), begin, end, member, Plus(), at), member, Plus());
}

/// The sum of at(0) ... at(count - 1). The levels above the first are in the lanes' threads too, each of which holds
/// what it has folded so far: three levels are more than 32 bits can count. One of a single element changes nothing,
/// since no sum is -0.
template <class At>
inline real tree_sum(uint count, Member member, At at) {
  if (count <= 4096u) return block_sum(0u, count, member, at);
  const uint blocks = (count - 1u) / 4096u + 1u;
  real second = real_of(0u), third = real_of(0u);
  for (uint block = 0u; block < blocks; ++block) {
    const uint begin = block * 4096u;
    const real value = block_sum(begin, min(count - begin, 4096u) + begin, member, at);
    if (block % team_lanes == member.lane) second = second + value;
    if ((block + 1u) % 4096u != 0u && block + 1u != blocks) continue;
    const real upper = combined(second, member, Plus());
    second = real_of(0u);
    if (block / 4096u % team_lanes == member.lane) third = third + upper;
  }
  return combined(third, member, Plus());
}

/// The greatest of at(0) ... at(count - 1); -infinity of nothing.
template <class At>
inline real greatest(uint count, Member member, At at) {
  return combined(fold_lane(real_of(kSign32 | kInfinity32), 0u, count, member, Greater(), at), member, Greater());
}

}  // namespace tenon_metal

// A thread of a threadgroup of teams, and the loop over what its team works on: `member.works` where there is an i.
#define TENON_TEAM_THREAD                                                                                   \
  uint thread_in_group [[thread_index_in_threadgroup]], uint group_number [[threadgroup_position_in_grid]], \
      uint group_count [[threadgroups_per_grid]]
#define TENON_FOR_EACH_OF_TEAM(i, count, member)                                      \
  for (uint i = group_number * teams + member.team, i##_round = group_number * teams; \
       i##_round < (count) && begins(member, i < (count)); i += group_count * teams, i##_round += group_count * teams)
