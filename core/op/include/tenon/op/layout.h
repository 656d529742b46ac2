// layout.h: the same elements in another arrangement.
#pragma once
#include "tenon/rule.h"

// clang-format off
#define TENON_LAYOUT_OPS(TENON_OP) \
  TENON_OP(reshape,   (x), (), (), Target, plain, "the same elements, row-major, as another shape") \
  TENON_OP(flatten,   (x), (), (), Range,  plain, "axes first to last become one") \
  TENON_OP(unflatten, (x), (), (), Split,  plain, "one axis becomes several; one of their extents may be left open") \
  TENON_OP(permute,   (x), (), (), Order,  plain, "axes in another order: result axis i is x's axis axes[i]") \
  TENON_OP(broadcast, (x), (), (), Target, plain, "axes of extent 1, and missing leading ones, repeated to the target") \
  TENON_OP(concat, (left, right), (), (), Axis, plain, "left, then right, along an axis") \
  TENON_OP(slice,  (x), (), (), Slice, plain, "elements start to stop - 1 of an axis, as Python counts them") \
  TENON_OP(gather, (x), (indices), (), Axis, plain, "x at each index of an axis; the axes of indices take that axis's place") \
  TENON_OP(scatter_add, (x, values), (indices), (), Axis, plain, "x with values, shaped as gather's result, added at the indices of an axis, in index order")
// clang-format on

namespace tenon::rule {

/// The names among the extents of a shape.
constexpr Shape names_of(const Shape& s) {
  Shape names;
  for (const Extent e : s.extents())
    if (is_named(e)) names.push_back(e);
  return names;
}

/// The list less one occurrence of each extent of `taken`; nothing if one is not there.
constexpr std::optional<Shape> without(Shape list, const Shape& taken) {
  for (const Extent e : taken.extents()) {
    Extent* const found = std::ranges::find(list.extent, list.extent + list.rank, e);
    if (found == list.extent + list.rank) return std::nullopt;
    *found = list[-1];
    --list.rank;
  }
  return list;
}

/// What the one open extent of `target` becomes: (batch, 8, 8) as (dyn, 64) makes it batch. Nothing if none fits.
constexpr std::optional<Extent> open_extent(const Shape& x, const Shape& target) {
  const Extent have = known_elements(x), want = known_elements(target);
  if (want == 0) return std::nullopt;  // any extent would do
  if (have == 0) return 0;
  if (count_dyn(x) > 0) return dyn;
  const std::optional<Shape> left = without(names_of(x), names_of(target));
  if (!left || have % want != 0) return std::nullopt;
  if (left->rank == 0) return have / want;
  return left->rank == 1 && have == want ? (*left)[0] : dyn;
}

/// Can `x` and a target without open extent have equally many elements?
constexpr bool same_elements(const Shape& x, const Shape& target) {
  const Extent have = known_elements(x), want = known_elements(target);
  if (have == 0 || want == 0) return have == want || (have != 0 && count_dyn(x) > 0);
  if (count_dyn(x) > 0) return !is_static(target) || want % have == 0;
  const std::optional<Shape> left = without(names_of(x), names_of(target));
  return left && left->rank == 0 && have == want;
}

constexpr Shape reshape(In in, const Attributes& attributes, Message& why) {
  Shape target = std::get<Target>(attributes).shape;
  if (!holds_extents(target, why)) return {};
  if (count_dyn(target) > 1) return refuse(why, "target ", target, " leaves more than one extent open");
  const bool open = count_dyn(target) == 1;
  const std::optional<Extent> left = open ? open_extent(in[0], target) : std::nullopt;
  if (open ? !left : !same_elements(in[0], target))
    return refuse(why, elements(in[0]), " elements do not fill ", target);
  if (open) std::ranges::replace(target.extents(), dyn, *left);
  return target;
}

/// An axis counted from the front; nothing, and words, when there is none such.
constexpr std::optional<int> one_axis(Extent axis, int rank, Message& why) {
  if (!axis_set(Shape{axis}, rank, why)) return std::nullopt;
  return counted_from_front(axis, rank);
}

/// `x` with the axes first .. first + count - 1 replaced by those of `by`; nothing, and words, when they are too many.
constexpr Shape replaced(const Shape& x, int first, int count, const Shape& by, Message& why) {
  const int rank = x.rank - count + by.rank;
  if (rank > max_rank) return refuse(why, "the result has rank ", rank, ", expected at most ", max_rank);
  return x.first(first) + by + x.from(first + count);
}

constexpr Shape flatten(In in, const Attributes& attributes, Message& why) {
  const Shape& x = in[0];
  const Range& range = std::get<Range>(attributes);
  if (x.rank == 0 && range == Range{0, -1}) return Shape{1};  // the empty product
  const std::optional<int> first = one_axis(range.first, x.rank, why);
  const std::optional<int> last = first ? one_axis(range.last, x.rank, why) : first;
  if (!last) return {};
  if (*first > *last)
    return refuse(why, "axis ", AxisNumber{range.first}, " comes after axis ", AxisNumber{range.last});
  const Shape merged = x.first(*last + 1).from(*first);
  return replaced(x, *first, merged.rank, Shape{elements(merged)}, why);
}

constexpr Shape unflatten(In in, const Attributes& attributes, Message& why) {
  const Split& split = std::get<Split>(attributes);
  const std::optional<int> axis = one_axis(split.axis, in[0].rank, why);
  if (!axis) return {};
  if (split.shape.rank == 0) return refuse(why, "an axis cannot become none");
  const Shape extent{in[0][*axis]};
  const Shape several = reshape({&extent, 1}, Target{split.shape}, why);
  return why.empty() ? replaced(in[0], *axis, 1, several, why) : Shape{};
}

constexpr Shape permute(In in, const Attributes& attributes, Message& why) {
  const Shape& axes = std::get<Order>(attributes).axes;
  const int rank = in[0].rank;
  if (axes.rank != rank) return refuse(why, "axes ", AxisNumbers{axes}, " are no permutation of rank ", rank);
  if (!axis_set(axes, rank, why)) return {};
  Shape out;
  for (const Extent axis : axes.extents()) out.push_back(in[0][counted_from_front(axis, rank)]);
  return out;
}

constexpr Shape broadcast(In in, const Attributes& attributes, Message& why) {
  const Shape &x = in[0], &target = std::get<Target>(attributes).shape;
  if (count_dyn(target) > 0) return refuse(why, "target ", target, " leaves an extent open");
  if (!holds_extents(target, why)) return {};
  if (x.rank > target.rank) return refuse(why, "target ", target, " has fewer axes");
  for (int i = 1; i <= x.rank; ++i)
    if (x[-i] != 1 && !agree(x[-i], target[-i]))
      return refuse(why, "extent ", x[-i], " at axis -", i, " does not broadcast to ", target);
  return target;
}

constexpr Shape concat(In in, const Attributes& attributes, Message& why) {
  Shape left = in[0], right = in[1];
  const std::optional<int> axis = one_axis(std::get<Axis>(attributes).axis, left.rank, why);
  if (!axis) return {};
  if (left.rank != right.rank) return refuse(why, "ranks ", left.rank, " and ", right.rank, " differ");
  const bool known = is_known(left[*axis]) && is_known(right[*axis]);
  const Extent sum = known ? left[*axis] + right[*axis] : dyn;
  left[*axis] = right[*axis] = sum;
  if (!agree(left, right)) return refuse(why, "extents beside axis ", *axis, " differ");
  return meet_shape(left, right);
}

/// Where a slice of an axis with that many elements begins, and how many it takes.
struct SliceBounds {
  Extent start, count;
};

/// Python's rule: a negative number counts from the end, and what lies beyond an end is that end.
constexpr SliceBounds slice_bounds(const Slice& slice, Extent extent) {
  const auto place = [extent](Extent at) { return std::clamp(at < 0 ? at + extent : at, Extent{0}, extent); };
  const Extent start = place(slice.start);
  return {start, std::max(place(slice.stop) - start, Extent{0})};
}

/// What is left of an axis that may be unknown: all of it, nothing whatever its extent is, or some number.
constexpr Extent sliced_extent(const Slice& slice, Extent extent) {
  if (is_known(extent)) return slice_bounds(slice, extent).count;
  if (slice.start == 0 && slice.stop == Slice{}.stop) return extent;
  const bool one_side = (slice.start < 0) == (slice.stop < 0);
  return slice.stop == 0 || (one_side && slice.stop <= slice.start) ? 0 : dyn;
}

constexpr Shape slice(In in, const Attributes& attributes, Message& why) {
  Shape out = in[0];
  const Slice& slice = std::get<Slice>(attributes);
  const std::optional<int> axis = one_axis(slice.axis, out.rank, why);
  if (axis) out[*axis] = sliced_extent(slice, out[*axis]);
  return out;
}

/// What gather makes of x, and scatter_add takes as values.
constexpr Shape gathered(const Shape& x, const Shape& indices, const Attributes& attributes, Message& why) {
  const std::optional<int> axis = one_axis(std::get<Axis>(attributes).axis, x.rank, why);
  return axis ? replaced(x, *axis, 1, indices, why) : Shape{};
}

constexpr Shape gather(In in, const Attributes& attributes, Message& why) {
  return gathered(in[0], in[1], attributes, why);
}

constexpr Shape scatter_add(In in, const Attributes& attributes, Message& why) {
  const Shape expected = gathered(in[0], in[2], attributes, why);
  if (why.empty() && !agree(expected, in[1])) refuse(why, "values must have shape ", expected);
  return in[0];
}

}  // namespace tenon::rule
