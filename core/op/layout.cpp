#include "case_list.h"
#include "host_walk.h"
#include "tenon/gradient_helpers.h"
#include "tenon/op_table.h"

namespace tenon {
namespace gradient {
namespace {

/// The order that undoes `order`.
Order inverse(const Order& order) {
  const int rank = order.axes.rank;
  Order out{order.axes};
  for (int axis = 0; axis < rank; ++axis) out.axes[rule::counted_from_front(order.axes[axis], rank)] = axis;
  return out;
}

int axis_of(const GradientCall& c, Extent axis) { return rule::counted_from_front(axis, shape_of(c.operands[0]).rank); }

Value reshaped_back(const GradientCall& c) { return reshape_to(c.upstream, shape_of(c.operands[0])); }

/// Zeros of x's shape, but for the extent of one axis.
Value zeros(Value x, int axis, Extent extent) {
  Shape shape = shape_of(x);
  shape[axis] = extent;
  return fill(*x.recorder, Constant{shape, 0});
}

}  // namespace

void reshape(GradientCall& c) { c.gradient[0] = reshaped_back(c); }
void flatten(GradientCall& c) { c.gradient[0] = reshaped_back(c); }
void unflatten(GradientCall& c) { c.gradient[0] = reshaped_back(c); }
void permute(GradientCall& c) { c.gradient[0] = permute(c.upstream, inverse(std::get<Order>(c.attributes))); }
void broadcast(GradientCall& c) { c.gradient[0] = sum_to(c.upstream, shape_of(c.operands[0])); }

void concat(GradientCall& c) {
  const int axis = axis_of(c, std::get<Axis>(c.attributes).axis);
  const Extent left = shape_of(c.operands[0])[axis], both = shape_of(c.output)[axis];
  if (c.wanted[0]) c.gradient[0] = slice(c.upstream, Slice{axis, 0, left});
  if (c.wanted[1]) c.gradient[1] = slice(c.upstream, Slice{axis, left, both});
}

/// Upstream between zeros.
void slice(GradientCall& c) {
  const Slice& taken = std::get<Slice>(c.attributes);
  const int axis = axis_of(c, taken.axis);
  const Extent extent = shape_of(c.operands[0])[axis];
  const auto [start, count] = rule::slice_bounds(taken, extent);
  const Extent rest = extent - start - count;
  Value x = c.upstream;
  if (start > 0) x = concat(zeros(x, axis, start), x, Axis{axis});
  if (rest > 0) x = concat(x, zeros(x, axis, rest), Axis{axis});
  c.gradient[0] = x;
}

void gather(GradientCall& c) {
  c.gradient[0] = scatter_add(zeros_like(c.operands[0]), c.upstream, c.operands[1], std::get<Axis>(c.attributes));
}

void scatter_add(GradientCall& c) {
  if (c.wanted[0]) c.gradient[0] = c.upstream;
  if (c.wanted[1]) c.gradient[1] = gather(c.upstream, c.operands[2], std::get<Axis>(c.attributes));
}

}  // namespace gradient

namespace reference {
namespace {

void same_elements(ReferenceCall& c) { c.outputs[0].values = c.operands[0].values; }

std::size_t axis_of(const ReferenceCall& c, Extent axis) {
  return static_cast<std::size_t>(rule::counted_from_front(axis, c.operands[0].shape.rank));
}

/// Calls visit(element of x, element of what gather makes of x) for each of the latter, in order.
template <class Visit>
void for_each_gathered(const ReferenceCall& c, const Shape& gathered, const HostArray& indices, Visit visit) {
  const Shape& x = c.operands[0].shape;
  const std::size_t axis = axis_of(c, std::get<Axis>(c.attributes).axis), taken = indices.shape.rank;
  for_each_index(gathered, [&](const Index& at, std::size_t i) {
    Index which{}, source{};
    std::copy_n(at.begin() + static_cast<std::ptrdiff_t>(axis), taken, which.begin());
    for (std::size_t k = 0; k < x.rank; ++k) source[k] = k < axis ? at[k] : k > axis ? at[k - 1 + taken] : 0;
    source[axis] = static_cast<Extent>(indices.values[position(indices.shape, which, indices.shape.rank)]);
    visit(position(x, source, x.rank), i);
  });
}

}  // namespace

void reshape(ReferenceCall& c) { same_elements(c); }
void flatten(ReferenceCall& c) { same_elements(c); }
void unflatten(ReferenceCall& c) { same_elements(c); }

void permute(ReferenceCall& c) {
  const HostArray& x = c.operands[0];
  HostArray& out = c.outputs[0];
  const Shape& axes = std::get<Order>(c.attributes).axes;
  for_each_index(out.shape, [&](const Index& index, std::size_t i) {
    Index source{};
    for (int axis = 0; axis < axes.rank; ++axis)
      source[static_cast<std::size_t>(rule::counted_from_front(axes[axis], axes.rank))] =
          index[static_cast<std::size_t>(axis)];
    out.values[i] = x.values[position(x.shape, source, x.shape.rank)];
  });
}

void broadcast(ReferenceCall& c) {
  map_one(c, [](double x) { return x; });
}

void concat(ReferenceCall& c) {
  const HostArray &left = c.operands[0], &right = c.operands[1];
  const std::size_t axis = axis_of(c, std::get<Axis>(c.attributes).axis);
  for_each_index(c.outputs[0].shape, [&](Index index, std::size_t i) {
    const bool first = index[axis] < left.shape.extent[axis];
    if (!first) index[axis] -= left.shape.extent[axis];
    const HostArray& from = first ? left : right;
    c.outputs[0].values[i] = from.values[position(from.shape, index, from.shape.rank)];
  });
}

void slice(ReferenceCall& c) {
  const HostArray& x = c.operands[0];
  const Slice& taken = std::get<Slice>(c.attributes);
  const std::size_t axis = axis_of(c, taken.axis);
  const Extent start = rule::slice_bounds(taken, x.shape.extent[axis]).start;
  for_each_index(c.outputs[0].shape, [&](Index index, std::size_t i) {
    index[axis] += start;
    c.outputs[0].values[i] = x.values[position(x.shape, index, x.shape.rank)];
  });
}

void gather(ReferenceCall& c) {
  HostArray& out = c.outputs[0];
  for_each_gathered(c, out.shape, c.operands[1],
                    [&](std::size_t source, std::size_t i) { out.values[i] = c.operands[0].values[source]; });
}

void scatter_add(ReferenceCall& c) {
  const HostArray& values = c.operands[1];
  std::vector<double>& out = c.outputs[0].values;
  out = c.operands[0].values;
  for_each_gathered(c, values.shape, c.operands[2],
                    [&](std::size_t source, std::size_t i) { out[source] += values.values[i]; });
}

}  // namespace reference

namespace cases {

std::vector<Case> reshape() {
  return {drawn({Shape{2, 3, 4}}, Target{{6, 4}}),
          drawn({Shape{2, 3, 4}}, Target{{2, dyn}}),
          drawn({Shape{24}}, Target{{2, 3, 4}}),
          drawn({Shape{1}}, Target{Shape{}}),
          drawn({Shape{}}, Target{{1, 1}}),
          drawn({Shape{0, 3}}, Target{{3, 0}}),
          drawn({Shape{0, 3}}, Target{{dyn, 3}}),
          drawn({Shape{4099}}, Target{{4099, 1}}),
          drawn({Shape{256}}, Target{{2, 2, 2, 2, 2, 2, 2, 2}})};
}

std::vector<Case> flatten() {
  return {drawn({Shape{2, 3, 4}}, Range{}),      drawn({Shape{2, 3, 4}}, Range{0, 1}),
          drawn({Shape{2, 3, 4}}, Range{-2, 2}), drawn({Shape{2, 3, 4}}, Range{1, 1}),
          drawn({Shape{}}, Range{0, -1}),        drawn({Shape{5}}, Range{0, 0}),
          drawn({Shape{3, 0, 2}}, Range{}),      drawn({Shape{2, 2, 2, 2, 2, 2, 2, 2}}, Range{0, -1}),
          drawn({Shape{65, 67}}, Range{0, 1})};
}

std::vector<Case> unflatten() {
  return {drawn({Shape{2, 12}}, Split{-1, {3, 4}}),  drawn({Shape{2, 12}}, Split{1, {dyn, 6}}),
          drawn({Shape{6, 2}}, Split{0, {3, 1, 2}}), drawn({Shape{6}}, Split{0, Shape{6}}),
          drawn({Shape{0, 2}}, Split{0, {5, dyn}}),  drawn({Shape{256}}, Split{0, {2, 2, 2, 2, 2, 2, 2, 2}}),
          drawn({Shape{4099}}, Split{0, {4099, 1}})};
}

std::vector<Case> permute() {
  return {drawn({Shape{2, 3}}, Order{{1, 0}}),
          drawn({Shape{2, 3, 4}}, Order{{0, 2, 1}}),
          drawn({Shape{2, 3, 4}}, Order{{2, 0, 1}}),
          drawn({Shape{2, 3, 4}}, Order{{-1, 0, -2}}),
          drawn({Shape{5}}, Order{Shape{0}}),
          drawn({Shape{}}, Order{Shape{}}),
          drawn({Shape{0, 3}}, Order{{1, 0}}),
          drawn({Shape{65, 67}}, Order{{1, 0}}),
          drawn({Shape{2, 1, 3, 1, 2, 1, 2, 3}}, Order{{7, 0, 6, 1, 5, 2, 4, 3}})};
}

std::vector<Case> broadcast() {
  return {drawn({Shape{3, 1}}, Target{{3, 4}}),
          drawn({Shape{4}}, Target{{3, 4}}),
          drawn({Shape{}}, Target{{2, 3}}),
          drawn({Shape{}}, Target{Shape{}}),
          drawn({Shape{1}}, Target{Shape{0}}),
          drawn({Shape{2, 1, 3}}, Target{{5, 2, 4, 3}}),
          drawn({Shape{2, 3}}, Target{{2, 3}}),
          drawn({Shape{1, 1}}, Target{{67, 65}}),
          drawn({Shape{0, 1}}, Target{{0, 3}}),
          drawn({Shape{33}}, Target{{129, 33}}),
          drawn({Shape{2, 1}}, Target{{1, 2, 1, 2, 1, 2, 2, 2}})};
}

std::vector<Case> concat() {
  return {drawn({Shape{2, 3}, Shape{2, 4}}, Axis{1}),
          drawn({Shape{2, 3}, Shape{1, 3}}, Axis{0}),
          drawn({Shape{2, 3, 4}, Shape{2, 5, 4}}, Axis{-2}),
          drawn({Shape{3}, Shape{1}}, Axis{-1}),
          drawn({Shape{0, 3}, Shape{2, 3}}, Axis{0}),
          drawn({Shape{2, 3}, Shape{2, 0}}, Axis{1}),
          drawn({Shape{0, 3}, Shape{0, 2}}, Axis{1}),
          drawn({Shape{67, 65}, Shape{67, 33}}, Axis{1}),
          drawn({Shape{1, 2, 1, 2, 1, 2, 1, 2}, Shape{1, 2, 1, 2, 3, 2, 1, 2}}, Axis{4})};
}

std::vector<Case> slice() {
  return {drawn({Shape{5, 3}}, Slice{0, 1, 4}),    drawn({Shape{5, 3}}, Slice{1, 1}),
          drawn({Shape{5, 3}}, Slice{}),           drawn({Shape{2, 5, 3}}, Slice{-2, -3, -1}),
          drawn({Shape{5, 3}}, Slice{0, 3, 99}),   drawn({Shape{5, 3}}, Slice{0, -99, 2}),
          drawn({Shape{5, 3}}, Slice{0, 4, 1}),    drawn({Shape{5, 3}}, Slice{1, 9, 12}),
          drawn({Shape{0, 3}}, Slice{0, 0, 2}),    drawn({Shape{7}}, Slice{-1, -1}),
          drawn({Shape{67, 65}}, Slice{1, 3, -2}), drawn({Shape{1, 2, 1, 2, 1, 2, 3, 2}}, Slice{6, 1, 3})};
}

namespace {

Case indexed(std::vector<Shape> operands, Extent axis) {
  Case c = drawn(std::move(operands), Axis{axis});
  const Shape& x = c.operands[0];
  c.classes = static_cast<std::uint32_t>(x[rule::counted_from_front(axis, x.rank)]);
  return c;
}

/// x, indices, axis: no axis, several; none to take, many of few; x without elements beside the axis.
struct Indexed {
  Shape x, indices;
  Extent axis;
};

std::vector<Indexed> indexed_shapes() {
  return {{{5, 3}, Shape{4}, 0},
          {{5, 3}, Shape{2}, -1},
          {{2, 5, 3}, {2, 4}, 1},
          {Shape{7}, Shape{}, 0},
          {{5, 3}, Shape{}, 1},
          {Shape{7}, {2, 3}, 0},
          {{5, 3}, Shape{0}, 0},
          {{0, 3}, Shape{0}, 0},
          {{5, 0}, Shape{3}, 0},
          {{3, 65}, Shape{129}, 0},
          {{67, 4}, Shape{33}, 1},
          {Shape{2}, Shape{4099}, 0},
          {{2, 1, 2}, {1, 2, 1, 2, 1, 2}, 1}};
}

}  // namespace

std::vector<Case> gather() {
  std::vector<Case> out;
  for (const auto& [x, indices, axis] : indexed_shapes()) out.push_back(indexed({x, indices}, axis));
  return out;
}

/// binary32 folds of thousands of values around 1 wander off by some roundings of a sum of some tens.
std::vector<Case> scatter_add() {
  std::vector<Case> out;
  for (const auto& [x, indices, axis] : indexed_shapes()) {
    Message why;
    const Shape values = rule::gathered(x, indices, Axis{axis}, why);
    out.push_back(indexed({x, values, indices}, axis));
    if (elements(indices) > 1000) out.back().tolerance = 2e-4;
  }
  return out;
}

}  // namespace cases
}  // namespace tenon
