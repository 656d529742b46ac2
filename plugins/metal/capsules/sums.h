// sums.h: the passes of a sum in the sixteen-lane tree.
//
// Pure; any thread.
#pragma once
#include "walk.h"

namespace tenon::metal {

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
  tenon_metal::Reduction constants(std::uint64_t count, std::uint64_t blocks) const {
    tenon_metal::Reduction constants{};
    const Walk* walks[] = {&groups, &members};
    put_walks(constants.extents, constants.strides, walks);
    constants.group_axes = count32(groups.axes().size());
    constants.axes = count32(groups.axes().size() + members.axes().size());
    constants.count = count32(count);
    constants.members = count32(members.count());
    constants.blocks = count32(blocks);
    constants.divisor = 1;
    return constants;
  }
};

inline std::uint64_t blocks_of(std::uint64_t members) {
  constexpr std::uint64_t block = 4096;
  return std::max<std::uint64_t>(1, (members + block - 1) / block);
}

/// Appends passes that sum `from`, whose groups these are, into `to`; where it `divides`, the sums are divided by
/// `divisor`. The first pass runs `first_kernel`, bound to `sources` (its operands) instead.
struct TreeSum {
  const char* first_kernel;
  std::vector<Slot> sources;
  Groups groups;
  bool divides = false;
  float divisor = 1;

  void append(Plan& plan, Slot to) const {
    const char* kernel = first_kernel;
    std::vector<Slot> from = sources;
    Groups level = groups;
    while (true) {
      const std::uint64_t count = level.groups.count(), blocks = blocks_of(level.members.count());
      const bool last = blocks == 1;
      const Slot target = last ? to : plan.take(count * blocks * sizeof(float));
      Pass& pass = plan.add(kernel);
      for (const Slot& slot : from) pass.bind(slot);
      pass.bind(target).by_teams(count * blocks);
      tenon_metal::Reduction constants = level.constants(count * blocks, blocks);
      constants.divides = last && divides ? 1 : 0;
      constants.divisor = divisor;
      pass.constants = constants;
      if (last) return;
      from = {target};
      level = Groups::dense(count, blocks);
      kernel = "reductions_sum";
    }
  }
};

}  // namespace tenon::metal
