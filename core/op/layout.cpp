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

}  // namespace

void reshape(GradientCall& c) { c.gradient[0] = reshape_to(c.upstream, c.output.recorder->shape(c.operands[0])); }
void permute(GradientCall& c) { c.gradient[0] = permute(c.upstream, inverse(std::get<Order>(c.attributes))); }
void broadcast(GradientCall& c) { c.gradient[0] = sum_to(c.upstream, c.output.recorder->shape(c.operands[0])); }

}  // namespace gradient

namespace reference {

void reshape(ReferenceCall& c) { c.outputs[0].values = c.operands[0].values; }

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

}  // namespace cases
}  // namespace tenon
