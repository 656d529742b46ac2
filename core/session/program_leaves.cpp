#include "program_leaves.h"

namespace tenon {

ProgramLeaves add_leaves(Graph& graph, const Program& program, std::span<const Shape> inputs) {
  ProgramLeaves leaves;
  for (const ParameterSpec& p : program.parameters) leaves.parameters.push_back(graph.leaf({Kind::real, p.shape}));
  for (const StateSpec& s : program.states) leaves.states.push_back(graph.leaf({Kind::real, s.shape}));
  for (std::size_t i = 0; i < program.inputs.size(); ++i) {
    const Kind kind = program.inputs[i].kind;
    (kind == Kind::real ? leaves.reals : leaves.naturals).push_back(graph.leaf({kind, inputs[i]}));
  }
  return leaves;
}

std::vector<std::size_t> trainable(const Program& program) {
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < program.parameters.size(); ++i)
    if (program.parameters[i].requires_grad) out.push_back(i);
  return out;
}

}  // namespace tenon
