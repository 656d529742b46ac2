// program_leaves.h: what a program is given when a graph records it. Values are the graph's; one thread at a time.
#pragma once
#include "tenon/graph.h"
#include "tenon/program.h"

namespace tenon {

/// The leaves of a graph that stand for a program's tensors, each list in the order of its declaration.
struct ProgramLeaves {
  std::vector<Value> parameters, states, reals, naturals;

  ProgramArguments of_forward(Graph& graph, const Program& program) const {
    return {graph, parameters, std::span(reals).first(program.forward_reals),
            std::span(naturals).first(program.forward_naturals), states};
  }
  ProgramArguments of_loss(Graph& graph) const { return {graph, parameters, reals, naturals, states}; }
};

/// Parameters, states and inputs, which have the extents `inputs`: one for each input of the program.
ProgramLeaves add_leaves(Graph& graph, const Program& program, std::span<const Shape> inputs);

/// Which parameters require a gradient.
std::vector<std::size_t> trainable(const Program& program);

}  // namespace tenon
