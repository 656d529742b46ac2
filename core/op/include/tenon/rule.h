// rule.h: the shape of an operation's result, or words that say why there is none.
//
// A rule is a constexpr function beside the row of its operation. It has two users: the compiler, which types tensors
// with it, and Recorder::record, which checks real extents with it, so both refuse with the same words. Operand count,
// operand kinds and the kind of attributes have been checked before a rule is asked (infer.h). Rules answer for unknown
// extents as shape.h says: with dyn they refuse only what no number makes right, with a named extent everything that
// not every number makes right. Pure functions; any thread.
#pragma once
#include <limits>

#include "tenon/attributes.h"

namespace tenon {

using ShapeRule = Shape (*)(std::span<const Shape>, const Attributes&, Message& why);

namespace rule {

using In = std::span<const Shape>;

// Words

/// One axis in a message. An Extent of -1 would be printed as dyn.
struct AxisNumber {
  Extent axis;
};

constexpr Message& operator<<(Message& why, AxisNumber number) {
  if (number.axis >= 0) return why << number.axis;
  return why << "-" << -std::max(number.axis, -std::numeric_limits<Extent>::max());
}

struct AxisNumbers {
  const Shape& axes;
};

constexpr Message& operator<<(Message& why, AxisNumbers list) {
  why << "(";
  for (int i = 0; i < list.axes.rank; ++i) why << (i == 0 ? "" : ", ") << AxisNumber{list.axes[i]};
  return why << ")";
}

// Axes

/// Counts a negative axis from the end; only for axes that fit the rank.
constexpr int counted_from_front(Extent axis, int rank) { return static_cast<int>(axis < 0 ? axis + rank : axis); }

/// A set of axes, bit by bit.
using AxisSet = std::uint32_t;

constexpr bool contains(AxisSet set, int axis) { return (set >> axis & 1U) != 0; }

/// The axes as a set; nothing, and words, when one is out of range or named twice.
constexpr std::optional<AxisSet> axis_set(const Shape& axes, int rank, Message& why) {
  AxisSet set = 0;
  for (const Extent axis : axes.extents()) {
    if (axis < -rank || axis >= rank)
      return refuse(why, "axis ", AxisNumber{axis}, " does not fit rank ", rank), std::nullopt;
    const int front = counted_from_front(axis, rank);
    if (contains(set, front)) return refuse(why, "axis ", AxisNumber{axis}, " is named twice"), std::nullopt;
    set |= AxisSet{1} << front;
  }
  return set;
}

/// The axes that a reduction removes: all of them when it names none.
constexpr std::optional<AxisSet> reduced_axes(const Shape& axes, int rank, Message& why) {
  if (axes.rank == 0) return (AxisSet{1} << rank) - 1;
  return axis_set(axes, rank, why);
}

/// What is left of `x` when the axes of `set` go, or stay with extent 1.
constexpr Shape without_axes(const Shape& x, AxisSet set, bool keep_dims) {
  Shape out;
  for (int axis = 0; axis < x.rank; ++axis) {
    if (!contains(set, axis)) out.push_back(x[axis]);
    if (contains(set, axis) && keep_dims) out.push_back(1);
  }
  return out;
}

// Extents

/// False, and words, when the known extents cannot be those of a tensor. Rules may rely on this for their operands.
constexpr bool holds_extents(const Shape& wanted, Message& why) {
  if (could_be_tensor(wanted)) return true;
  const bool negative = std::ranges::any_of(wanted.extents(), [](Extent e) { return is_known(e) && e < 0; });
  refuse(why, wanted, negative ? " has a negative extent" : " has too many elements");
  return false;
}

/// NumPy's broadcasting of one pair of extents; nothing if they do not fit.
constexpr std::optional<Extent> broadcast_extent(Extent a, Extent b) {
  if (a == 1 || a == b) return b;
  if (b == 1) return a;
  if (!agree(a, b)) return std::nullopt;
  const bool may_be_one = is_named(a) || is_named(b);  // a name beside dyn: where it stands for 1, dyn decides
  return may_be_one ? dyn : meet(a, b);
}

constexpr Shape broadcast_shape(const Shape& a, const Shape& b, Message& why) {
  Shape out = a.rank >= b.rank ? a : b;
  for (int i = 1; i <= std::min(a.rank, b.rank); ++i) {
    const std::optional<Extent> extent = broadcast_extent(a[-i], b[-i]);
    if (!extent) return refuse(why, "extents ", a[-i], " and ", b[-i], " at axis -", i, " do not broadcast");
    out[-i] = *extent;
  }
  return out;
}

/// What is known about a shape that equals both; only for shapes that agree.
constexpr Shape meet_shape(Shape a, const Shape& b) {
  for (int axis = 0; axis < a.rank; ++axis) a[axis] = meet(a[axis], b[axis]);
  return a;
}

// Rules that several families use

/// The shape that all operands share.
constexpr Shape alike(In in, const Attributes&, Message& why) {
  Shape out = in[0];
  for (const Shape& next : in.subspan(1)) {
    if (!agree(out, next)) return refuse(why, "shapes ", out, " and ", next, " differ, expected equal ones");
    out = meet_shape(out, next);
  }
  return out;
}

}  // namespace rule
}  // namespace tenon
