// reduce.h: reductions as levels of the sixteen-lane tree, one launch each: every level leaves one value for each 4096
// members of a result, until one is left. Pure functions; any thread.
#pragma once
#include "walks.h"

namespace tenon::gpu {

/// The blocks of the tree that so many members make; a result of no members is one block of nothing.
inline std::uint64_t tree_blocks(std::uint64_t members) {
  return std::max<std::uint64_t>(1, (members + strict::kSumBlock - 1) / strict::kSumBlock);
}

inline std::uint64_t element_bytes(const Plan& plan) { return plan.signature().output().dtype().bits / 8; }

/// Members of results by walks, whichever way they lie.
struct Level {
  Walk results, members;

  /// Are neighbouring results neighbours in memory, rather than a result's members?
  bool by_columns() const {
    const auto steps = [](const Walk& walk) { return walk.axes == 0 ? 0 : walk.stride[walk.axes - 1]; };
    return steps(results) == 1 && steps(members) != 1 && results.count >= lanes;
  }
  bool staged() const { return !by_columns() && members.count > max_lane_row; }
  const char* suffix() const { return by_columns() ? "_columns" : staged() ? "_staged" : "_neighbours"; }
  std::uint64_t blocks() const {
    const std::uint64_t trees = tree_blocks(members.count);
    if (by_columns()) return (results.count + lanes - 1) / lanes * trees;
    return staged() ? results.count * trees : (results.count * trees + groups_per_block - 1) / groups_per_block;
  }
  /// What this one leaves, as the next one finds it: [block][result].
  Level next() const {
    return {line(results.count, 1), line(tree_blocks(members.count), static_cast<std::int64_t>(results.count))};
  }
};

/// Levels of "sum" or "max" kernels from `from`, the last one into the result. `last` is what only the last level's
/// kernel does: the divisor of a sum.
template <class From, class... Divisor>
void reduce(Plan& plan, const std::string& kind, Level level, From from, Divisor... divisor) {
  if (level.results.count == 0) return;
  const std::string kernel = kind + level.suffix();
  if (tree_blocks(level.members.count) == 1) {
    plan.launch("reductions", kernel, level.blocks(), level.results, level.members, Output{}, from, divisor...);
    return;
  }
  const Workspace partial =
      plan.workspace(level.results.count * tree_blocks(level.members.count) * element_bytes(plan));
  plan.launch("reductions", kernel, level.blocks(), level.results, level.members, partial, from, divisor...);
  reduce(plan, kind, level.next(), partial, divisor...);
}

}  // namespace tenon::gpu
