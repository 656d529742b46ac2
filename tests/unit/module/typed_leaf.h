// typed_leaf.h: typed values of a graph, for tests.
#pragma once
#include "tenon/graph.h"
#include "tenon/tensor.h"

namespace tenon::test {

/// A leaf of the type's own shape, or where that has unknown extents, of the shape given.
template <class T>
T leaf(Graph& graph, const Shape& shape = T::shape) {
  return T(graph.leaf({T::type.kind, shape}));
}

}  // namespace tenon::test
