// leaf.h: an operand for the graphs of tests.
#pragma once
#include "tenon/graph.h"

namespace tenon {

inline Value real(Graph& graph, const Shape& shape) { return graph.leaf({Kind::real, shape}); }

}  // namespace tenon
