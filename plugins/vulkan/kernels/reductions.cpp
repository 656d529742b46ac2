// Reductions: the elements along some axes, in row-major order with the axes ascending, become one.
#include "kernel.h"
#include "sums.h"

namespace tenon::vulkan {
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

template <class T, bool Mean>
struct Summed {
  using dtypes = T(T);
  static constexpr auto attributes = axes_attributes;
  static constexpr tenon_numerics numerics = plugin::strict_numerics(TENON_REDUCTION_FIXED_TREE);
  Plan plan(const SignatureView& s) const {
    const Groups groups = groups_of(s);
    // A mean of nothing is 0 / 0.
    TreeSum sum{shader("reductions.sum"), {{Slot::Kind::operand, false, 0, 0, s.operand(0).bytes()}}, groups};
    sum.divides = Mean;
    sum.divisor = static_cast<double>(static_cast<T>(groups.members.count()));
    Plan plan;
    sum.append(plan, {Slot::Kind::output, true, 0, 0, s.output().bytes()}, binary64(s));
    return plan;
  }
};
template <class T>
using ReduceSum = Summed<T, false>;
template <class T>
using ReduceMean = Summed<T, true>;

void put_groups(Push& push, const Groups& groups) {
  groups.put(push);
  push.count(groups.groups.count()).count(groups.members.count()).count(1).count(0).count(0);
}

template <class T>
struct ReduceMax {
  using dtypes = T(T);
  static constexpr auto attributes = axes_attributes;
  Plan plan(const SignatureView& s) const {
    const Groups groups = groups_of(s);
    if (groups.members.count() == 0 && groups.groups.count() != 0) plugin::refuse("[reduce_max] of no elements");
    Plan plan;
    put_groups(plan.add(shader("reductions.max")).reads(s, 0).writes(s).over(groups.groups.count()).push, groups);
    return plan;
  }
};

/// (x, y, upstream), y = reduce_max(x): each of the greatest elements gets the same share of upstream.
template <class T>
struct ReduceMaxGrad {
  using dtypes = T(T, T, T);
  static constexpr auto attributes = axes_attributes;
  static constexpr bool differentiable = false;
  Plan plan(const SignatureView& s) const {
    const Groups groups = groups_of(s);
    Plan plan;
    Pass& pass = plan.add(shader("reductions.max_grad")).reads(s, 0).reads(s, 1).reads(s, 2).writes(s);
    put_groups(pass.over(groups.members.count() == 0 ? 0 : groups.groups.count()).push, groups);
    return plan;
  }
};

TENON_CAPSULES capsules = plugin::join(both<"reduce_sum", ReduceSum>, both<"reduce_mean", ReduceMean>,
                                       both<"reduce_max", ReduceMax>, both<"reduce_max_grad", ReduceMaxGrad>);

}  // namespace
}  // namespace tenon::vulkan
