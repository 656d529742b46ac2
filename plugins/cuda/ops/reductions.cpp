// Reductions: the elements along some axes, in row-major order with the axes ascending, become one.
#include "reduce.h"

namespace tenon::gpu {
namespace {

/// The axes named; all if none is. Negative ones count from the end.
std::vector<bool> reduced_axes(const SignatureView& signature, std::size_t rank) {
  const auto axes = signature.integers("axes");
  std::vector<bool> reduced(rank, axes.empty());
  for (const std::int64_t named : axes) {
    const auto axis = static_cast<std::size_t>(named < 0 ? named + static_cast<std::int64_t>(rank) : named);
    if (axis >= rank) refuse("[", signature.op(), "] axis ", named, " of a tensor of rank ", rank);
    if (reduced[axis]) refuse("[", signature.op(), "] axis ", named, " is named twice");
    reduced[axis] = true;
  }
  return reduced;
}

/// How operand 0 falls into groups: a walk over the groups along the axes that stay, and inside one along the others.
Level groups_of(const SignatureView& signature) {
  Level level;
  const auto shape = signature.operand(0).shape();
  const std::vector<std::int64_t> strides = dense_strides(shape);
  const std::vector<bool> reduced = reduced_axes(signature, shape.size());
  for (std::size_t axis = 0; axis < shape.size(); ++axis)
    append_axis(reduced[axis] ? level.members : level.results, shape[axis], strides[axis]);
  return level;
}

constexpr auto axes_attributes = names("axes", "keep_dims");  // keep_dims matters to the shape alone

template <class T>
struct ReduceSum : TreeSums {
  using dtypes = T(T);
  static constexpr auto attributes = axes_attributes;
  static void plan(Plan& plan) {
    plan.count_flops(plan.signature().operand(0).elements());
    reduce(plan, "sum", groups_of(plan.signature()), Operand{0}, T(1));
  }
};

/// 0 / 0, which is NaN, of no elements.
template <class T>
struct ReduceMean : TreeSums {
  using dtypes = T(T);
  static constexpr auto attributes = axes_attributes;
  static void plan(Plan& plan) {
    plan.count_flops(plan.signature().operand(0).elements());
    const Level level = groups_of(plan.signature());
    reduce(plan, "sum", level, Operand{0}, static_cast<T>(level.members.count));
  }
};

template <class T>
struct ReduceMax {
  using dtypes = T(T);
  static constexpr auto attributes = axes_attributes;
  static void plan(Plan& plan) {
    const Level level = groups_of(plan.signature());
    if (level.members.count == 0 && level.results.count != 0) refuse("[reduce_max] of no elements");
    reduce(plan, "max", level, Operand{0});
  }
};

/// (x, y, upstream), y = reduce_max(x)
template <class T>
struct ReduceMaxGrad : NotDifferentiable {
  using dtypes = T(T, T, T);
  static constexpr auto attributes = axes_attributes;
  static void plan(Plan& plan) {
    const Level level = groups_of(plan.signature());
    if (level.members.count == 0) return;
    plan.launch("reductions", "reduce_max_grad", level.results.count, level.results, level.members, Output{},
                Operand{0}, Operand{1}, Operand{2});
  }
};

TENON_CAPSULES capsules = plugin::join(both<"reduce_sum", ReduceSum>, both<"reduce_mean", ReduceMean>,
                                       both<"reduce_max", ReduceMax>, both<"reduce_max_grad", ReduceMaxGrad>);

}  // namespace
}  // namespace tenon::gpu
