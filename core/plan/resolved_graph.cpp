#include "tenon/resolved_graph.h"

namespace tenon {

Request request_of(Op op, std::span<const OperandType* const> operands, const Shape& output,
                   const Attributes& attributes, Precision precision) {
  const OpSpec& row = spec(op);
  Request request{op, attributes, {}, {}, precision.mode};
  for (const OperandType* type : operands)
    request.operands.push_back({type->kind == Kind::natural ? DType::u32 : precision.real, type->shape});
  const auto operand_shape = [&](std::size_t i) { return operands[i]->shape; };
  for (std::size_t i = 0; i < row.output_count(); ++i)
    request.outputs.push_back({precision.real, output_shape(op, i, output, operand_shape)});
  return request;
}

result<ResolvedGraph> ResolvedGraph::resolve(Graph graph, KernelCache& cache, Executor& executor, Precision precision,
                                             Gaps& gaps) {
  ResolvedGraph resolved(std::move(graph));
  for (const Node& node : resolved.graph_.nodes()) {
    std::array<const OperandType*, max_operands> operands{};
    for (std::size_t i = 0; i < node.operand_count; ++i) operands[i] = &resolved.graph_.types()[node.operand[i]];
    const Request request = request_of(node.op, std::span(operands).first(node.operand_count),
                                       resolved.graph_.types()[node.output].shape, node.attributes, precision);
    auto kernel = cache.get(request);
    if (kernel) {
      resolved.steps_.push_back(std::make_unique<Step>(*std::move(kernel)));
      TENON_CHECK(executor.admit(*resolved.steps_.back()));
    } else if (kernel.error().reason == Reason::NO_CAPSULE) {
      gaps.add(std::move(kernel).error().text, "%" + std::to_string(node.output));
    } else {
      return fail(std::move(kernel).error());
    }
  }
  return resolved;
}

}  // namespace tenon
