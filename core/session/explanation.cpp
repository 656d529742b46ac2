#include "tenon/explanation.h"

#include <algorithm>

#include "tenon/autograd.h"

namespace tenon {
namespace {

struct Leaves {
  std::vector<Value> parameters, states, reals, naturals;
};

Leaves add_leaves(Graph& graph, const Program& program, std::span<const Shape> inputs) {
  Leaves leaves;
  for (const ParameterSpec& p : program.parameters) leaves.parameters.push_back(graph.leaf({Kind::real, p.shape}));
  for (const StateSpec& s : program.states) leaves.states.push_back(graph.leaf({Kind::real, s.shape}));
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const Kind kind = program.inputs[i].kind;
    (kind == Kind::real ? leaves.reals : leaves.naturals).push_back(graph.leaf({kind, inputs[i]}));
  }
  return leaves;
}

std::vector<Value> trainable(const Program& program, const Leaves& leaves) {
  std::vector<Value> out;
  for (std::size_t i = 0; i < program.parameters.size(); ++i)
    if (program.parameters[i].requires_grad) out.push_back(leaves.parameters[i]);
  return out;
}

result<void> check_count(const Program& program, std::span<const Shape> inputs) {
  if (inputs.size() == program.inputs.size()) return {};
  return fail(Reason::INVALID_ARGUMENT, "[explain] found the extents of " + std::to_string(inputs.size()) +
                                            " inputs, expected " + std::to_string(program.inputs.size()));
}

}  // namespace

result<RecordedProgram> record_forward(const Program& program, std::span<const Shape> inputs) {
  TENON_CHECK(check_count(program, inputs));
  RecordedProgram out;
  const Leaves leaves = add_leaves(out.graph, program, inputs);
  out.result = program
                   .forward({out.graph, leaves.parameters, std::span(leaves.reals).first(program.forward_reals),
                             std::span(leaves.naturals).first(program.forward_naturals), leaves.states})
                   .id;
  TENON_CHECK(out.graph.status());
  return out;
}

result<RecordedProgram> record_training(const Program& program, std::span<const Shape> inputs) {
  TENON_CHECK(check_count(program, inputs));
  RecordedProgram out;
  out.graph.set_training(true);
  const Leaves leaves = add_leaves(out.graph, program, inputs);
  const Value loss = program.loss({out.graph, leaves.parameters, leaves.reals, leaves.naturals, leaves.states});
  TENON_CHECK(out.graph.status());
  out.result = loss.id;
  TENON_CHECK(differentiate(loss, trainable(program, leaves)));
  return out;
}

std::vector<ExplainedOperation> explain(const Graph& graph, const Registry& registry, Precision precision) {
  std::vector<ExplainedOperation> out;
  for (const Node& node : graph.nodes()) {
    std::array<const OperandType*, max_operands> operands{};
    for (std::size_t i = 0; i < node.operand_count; ++i) operands[i] = &graph.types()[node.operand[i]];
    Request request = request_of(node.op, std::span(operands).first(node.operand_count),
                                 graph.types()[node.output].shape, node.attributes, precision);
    Choice choice = registry.choose(request);
    out.push_back({node, std::move(request), std::move(choice)});
  }
  return out;
}

}  // namespace tenon
