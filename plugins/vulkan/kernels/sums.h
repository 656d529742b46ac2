// sums.h: the passes of a sum in the sixteen-lane tree.
//
// Pure; any thread.
#pragma once
#include "walk.h"

namespace tenon::vulkan {

/// How an operand falls into groups: one walk over the groups, one over the members of each.
struct Groups {
  Walk groups, members;

  /// So many groups, each of neighbours.
  static Groups dense(std::uint64_t groups, std::uint64_t members) {
    Groups result;
    result.groups.push_back(static_cast<std::int64_t>(groups), static_cast<std::int64_t>(members));
    result.members.push_back(static_cast<std::int64_t>(members), 1);
    return result;
  }
  void put(Push& push) const {
    const Walk* walks[] = {&groups, &members};
    put_walks(push, walks, 8);
    push.count(groups.axes().size()).count(groups.axes().size() + members.axes().size());
  }
};

inline std::uint64_t blocks_of(std::uint64_t members) {
  constexpr std::uint64_t block = 4096;
  return std::max<std::uint64_t>(1, (members + block - 1) / block);
}

/// Appends passes that sum `from`, whose groups these are, into `to`; where it `divides`, the sums are divided by
/// `divisor`. The first pass runs `first_shader`, bound to `sources` (its operands) instead.
struct TreeSum {
  std::uint32_t first_shader;
  std::vector<Slot> sources;
  Groups groups;
  bool divides = false;
  double divisor = 1;

  void append(Plan& plan, Slot to, bool wide) const {
    std::uint32_t shader_number = first_shader;
    std::vector<Slot> from = sources;
    Groups level = groups;
    while (true) {
      const std::uint64_t count = level.groups.count(), blocks = blocks_of(level.members.count());
      const bool last = blocks == 1;
      const Slot target = last ? to : plan.take(count * blocks * (wide ? 8 : 4));
      Pass& pass = plan.add(shader_number);
      for (const Slot& slot : from) pass.bind(slot);
      pass.bind(target).over(count * blocks);
      level.put(pass.push);
      pass.push.count(count * blocks).count(level.members.count()).count(blocks);
      pass.push.count(last && divides ? 1 : 0).real(divisor, wide);
      if (last) return;
      from = {Plan::read(target)};
      level = Groups::dense(count, blocks);
      shader_number = shader("reductions.sum");
    }
  }
};

}  // namespace tenon::vulkan
