// host_walk.h: walking row-major host tensors, for the double-precision references.
#pragma once
#include <array>

#include "tenon/op_table.h"

namespace tenon {

using Index = std::array<Extent, max_rank>;

inline std::size_t count(const Shape& shape) { return static_cast<std::size_t>(known_elements(shape)); }
inline std::size_t last_extent(const Shape& shape) { return static_cast<std::size_t>(shape[-1]); }

/// Advances in row-major order; wraps to all zeros after the last index.
inline void advance(const Shape& shape, Index& index) {
  for (std::size_t axis = shape.rank; axis-- > 0;) {
    if (++index[axis] < shape.extent[axis]) return;
    index[axis] = 0;
  }
}

/// Calls visit(index, row-major position) for each element.
template <class Visit>
void for_each_index(const Shape& shape, Visit visit) {
  Index index{};
  const std::size_t elements = count(shape);
  for (std::size_t position = 0; position < elements; ++position, advance(shape, index)) visit(index, position);
}

/// Where a tensor of shape `x` keeps what stands at `index` of a tensor of rank `rank`: axes align at the end, and an
/// axis of extent 1 stands for any index.
inline std::size_t position(const Shape& x, const Index& index, int rank) {
  Extent at = 0;
  for (int axis = 0; axis < x.rank; ++axis) {
    const Extent here = x[axis] == 1 ? 0 : index[static_cast<std::size_t>(axis + rank - x.rank)];
    at = at * x[axis] + here;
  }
  return static_cast<std::size_t>(at);
}

/// Applies f to the operands' elements, broadcasting them: f(double...) with as many arguments as operands.
template <class... Operand, class F>
void map_elements(ReferenceCall& call, F f, const Operand&... operand) {
  HostArray& out = call.outputs[0];
  for_each_index(out.shape, [&](const Index& index, std::size_t i) {
    out.values[i] = f(operand.values[position(operand.shape, index, out.shape.rank)]...);
  });
}

template <class F>
void map_one(ReferenceCall& call, F f) {
  map_elements(call, f, call.operands[0]);
}
template <class F>
void map_two(ReferenceCall& call, F f) {
  map_elements(call, f, call.operands[0], call.operands[1]);
}
template <class F>
void map_three(ReferenceCall& call, F f) {
  map_elements(call, f, call.operands[0], call.operands[1], call.operands[2]);
}

}  // namespace tenon
