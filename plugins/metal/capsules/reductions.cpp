// Reductions: the elements along some axes, in row-major order with the axes ascending, become one.
#include "kernel.h"
#include "sums.h"

namespace tenon::metal {
namespace {

constexpr auto axes_attributes = plugin::names("axes", "keep_dims");  // keep_dims matters to the shape alone

/// The axes named; all if none is. Negative ones count from the end.
std::vector<bool> reduced_axes(const SignatureView& s, std::size_t rank) {
  const auto axes = s.integers("axes");
  std::vector<bool> reduced(rank, axes.empty());
  for (const std::int64_t named : axes) {
    const auto axis = static_cast<std::size_t>(named < 0 ? named + static_cast<std::int64_t>(rank) : named);
    if (axis >= rank) plugin::refuse("[", s.op(), "] axis ", named, " of a tensor of rank ", rank);
    if (reduced[axis]) plugin::refuse("[", s.op(), "] axis ", named, " is named twice");
    reduced[axis] = true;
  }
  return reduced;
}

Groups groups_of(const SignatureView& s) {
  const auto shape = s.operand(0).shape();
  const std::vector<std::int64_t> strides = dense_strides(shape);
  const std::vector<bool> reduced = reduced_axes(s, shape.size());
  Groups groups;
  for (std::size_t axis = 0; axis < shape.size(); ++axis)
    (reduced[axis] ? groups.members : groups.groups).push_back(shape[axis], strides[axis]);
  return groups;
}

template <bool Mean>
struct Summed {
  using dtypes = float(float);
  static constexpr auto attributes = axes_attributes;
  static constexpr tenon_numerics numerics = plugin::strict_numerics(TENON_REDUCTION_FIXED_TREE);
  Plan plan(const SignatureView& s) const {
    const Groups groups = groups_of(s);
    // A mean of nothing is 0 / 0.
    Plan plan;
    TreeSum{"reductions_sum", {Slot::operand(s, 0)}, groups, Mean, static_cast<float>(groups.members.count())}.append(
        plan, Slot::output(s));
    return plan;
  }
};

struct ReduceMax {
  using dtypes = float(float);
  static constexpr auto attributes = axes_attributes;
  Plan plan(const SignatureView& s) const {
    const Groups groups = groups_of(s);
    const std::uint64_t count = groups.groups.count();
    if (groups.members.count() == 0 && count != 0) plugin::refuse("[reduce_max] of no elements");
    Plan plan;
    plan.add("reductions_max").reads(s, 0).writes(s).by_teams(count).constants = groups.constants(count, 1);
    return plan;
  }
};

/// (x, y, upstream), y = reduce_max(x): each of the greatest elements gets the same share of upstream.
struct ReduceMaxGrad {
  using dtypes = float(float, float, float);
  static constexpr auto attributes = axes_attributes;
  static constexpr bool differentiable = false;
  Plan plan(const SignatureView& s) const {
    const Groups groups = groups_of(s);
    const std::uint64_t count = groups.groups.count();
    Plan plan;
    Pass& pass = plan.add("reductions_max_grad").reads(s, 0).reads(s, 1).reads(s, 2).writes(s);
    pass.over(groups.members.count() == 0 ? 0 : count).constants = groups.constants(count, 1);
    return plan;
  }
};

TENON_CAPSULES capsules = plugin::join(strict<"reduce_sum", Summed<false>>, strict<"reduce_mean", Summed<true>>,
                                       strict<"reduce_max", ReduceMax>, strict<"reduce_max_grad", ReduceMaxGrad>);

}  // namespace
}  // namespace tenon::metal
