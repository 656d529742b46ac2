#include "tenon/explanation.h"

#include "program_leaves.h"
#include "tenon/autograd.h"
#include "tenon/contain.h"

namespace tenon {
namespace {

result<void> check_count(const Program& program, std::span<const Shape> inputs) {
  if (inputs.size() == program.inputs.size()) return {};
  return fail(Reason::INVALID_ARGUMENT, "[explain] found the extents of " + std::to_string(inputs.size()) +
                                            " inputs, expected " + std::to_string(program.inputs.size()));
}

result<RecordedProgram> forward_of(const Program& program, std::span<const Shape> inputs) {
  TENON_CHECK(check_has_forward(program));
  TENON_CHECK(check_count(program, inputs));
  RecordedProgram out;
  const ProgramLeaves leaves = add_leaves(out.graph, program, inputs);
  out.result = program.forward(leaves.of_forward(out.graph, program)).id;
  TENON_CHECK(out.graph.status());
  return out;
}

result<RecordedProgram> training_of(const Program& program, std::span<const Shape> inputs, const OwnGradient& own) {
  TENON_CHECK(check_has_loss(program));
  TENON_CHECK(check_count(program, inputs));
  RecordedProgram out;
  out.graph.set_training(true);
  const ProgramLeaves leaves = add_leaves(out.graph, program, inputs);
  const Value loss = program.loss(leaves.of_loss(out.graph));
  TENON_CHECK(out.graph.status());
  out.result = loss.id;
  std::vector<Value> wanted;
  for (const std::size_t i : trainable(program)) wanted.push_back(leaves.parameters[i]);
  TENON_CHECK(differentiate(loss, wanted, own));
  return out;
}

result<RecordedProgram> operation_of(const OpSpec& row, std::span<const Shape> operands, const Attributes& attributes,
                                     bool training) {
  RecordedProgram out;
  out.graph.set_training(training);
  std::vector<Value> leaves;
  for (std::size_t i = 0; i < operands.size(); ++i)
    leaves.push_back(out.graph.leaf({i < row.operand_count() ? row.kind(i) : Kind::real, operands[i]}));
  TENON_CHECK(out.graph.status());
  out.result = out.graph.record(row.op, leaves, attributes).id;
  TENON_CHECK(out.graph.status());
  return out;
}

Request request_of(const Node& node, const Graph& graph, Precision precision) {
  std::array<const OperandType*, max_operands> operands{};
  for (std::size_t i = 0; i < node.operand_count; ++i) operands[i] = &graph.types()[node.operand[i]];
  return request_of(node.op, std::span(operands).first(node.operand_count), graph.types()[node.output].shape,
                    node.attributes, precision);
}

std::vector<ExplainedOperation> requested(const Graph& graph, Precision precision) {
  std::vector<ExplainedOperation> out;
  for (const Node& node : graph.nodes()) out.push_back({node, request_of(node, graph, precision), {}});
  return out;
}

std::vector<ExplainedOperation> explained(const Graph& graph, const Registry& registry, Precision precision) {
  std::vector<ExplainedOperation> out = requested(graph, precision);
  for (ExplainedOperation& operation : out) operation.choice = registry.choose(operation.request);
  return out;
}

}  // namespace

result<RecordedProgram> record_forward(const Program& program, std::span<const Shape> inputs) {
  return contained("explain", [&] { return forward_of(program, inputs); });
}

result<RecordedProgram> record_training(const Program& program, std::span<const Shape> inputs, const OwnGradient& own) {
  return contained("explain", [&] { return training_of(program, inputs, own); });
}

result<RecordedProgram> record_operation(const OpSpec& row, std::span<const Shape> operands,
                                         const Attributes& attributes, bool training) {
  return contained("explain", [&] { return operation_of(row, operands, attributes, training); });
}

result<std::vector<ExplainedOperation>> explain(const Graph& graph, Precision precision) {
  return contained("explain", [&]() -> result<std::vector<ExplainedOperation>> { return requested(graph, precision); });
}

result<std::vector<ExplainedOperation>> explain(const Graph& graph, const Registry& registry, Precision precision) {
  return contained("explain",
                   [&]() -> result<std::vector<ExplainedOperation>> { return explained(graph, registry, precision); });
}

}  // namespace tenon
