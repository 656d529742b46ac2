// layout.h: the same elements in another arrangement.
#pragma once
#include "tenon/rule.h"

// clang-format off
#define TENON_LAYOUT_OPS(TENON_OP) \
  TENON_OP(reshape,   (x), (), (), Target, plain, "the same elements, row-major, as another shape") \
  TENON_OP(permute,   (x), (), (), Order,  plain, "axes in another order: result axis i is x's axis axes[i]") \
  TENON_OP(broadcast, (x), (), (), Target, plain, "axes of extent 1, and missing leading ones, repeated to the target")
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

}  // namespace tenon::rule
