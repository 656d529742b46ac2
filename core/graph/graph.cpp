#include "tenon/graph.h"

#include <algorithm>

namespace tenon {
namespace {

Node node_of(Op op, std::span<const Value> operands, const Attributes& attributes, std::uint32_t output) {
  Node node{.op = op,
            .operand_count = static_cast<std::uint8_t>(operands.size()),
            .output = output,
            .attributes = attributes};
  std::ranges::transform(operands, node.operand.begin(), &Value::id);
  return node;
}

}  // namespace

Value Graph::leaf(const OperandType& type) {
  if (!could_be_tensor(type.shape))
    fail_with({Reason::SHAPE_MISMATCH, "[graph] " + to_string(type.shape) + " is no shape of a tensor", {}});
  types_.push_back(type);
  return {this, static_cast<std::uint32_t>(types_.size() - 1)};
}

const OperandType& Graph::type(Value value) const {
  static constexpr OperandType nothing;
  return value.id < types_.size() ? types_[value.id] : nothing;
}

Value Graph::on_record(Op op, std::span<const Value> operands, const Attributes& attributes, std::span<const Scalar>) {
  const std::optional<Shape> shape = infer_shape(op, operands, attributes);
  if (!shape) return {this, 0};
  const auto first = static_cast<std::uint32_t>(types_.size());
  nodes_.push_back(node_of(op, operands, attributes, first));
  const auto operand_shape = [&](std::size_t i) { return types_[operands[i].id].shape; };
  for (std::size_t i = 0; i < spec(op).output_count(); ++i)
    types_.push_back({Kind::real, output_shape(op, i, *shape, operand_shape)});
  return {this, first};
}

}  // namespace tenon
