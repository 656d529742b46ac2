#include "symbolic_recorder.h"

#include <algorithm>

#include "tenon/attributes_text.h"

namespace tenon {

Shape infer_symbolic(Op op, std::span<const OperandType> operands, const Attributes& attributes, Message& why) {
  const std::vector<Extent> names = names_in(attributes);
  const bool is_source = spec(op).operand_count() == 0;
  if (!is_source || names.empty() || !operands.empty()) return infer(op, operands, attributes, why);
  std::vector<BoundExtent> ones;
  for (const Extent name : names) ones.push_back({name, 1});
  infer(op, operands, bind_extents(attributes, ones), why);
  return why.empty() ? shape_in(attributes) : Shape{};
}

const OperandType& SymbolicRecorder::type(Value value) const {
  static constexpr OperandType nothing;
  return value.id < types_.size() ? types_[value.id] : nothing;
}

Value SymbolicRecorder::on_record(Op op, std::span<const Value> operands, const Attributes& attributes,
                                  std::span<const Scalar>) {
  std::vector<OperandType> given;
  for (const Value operand : operands) given.push_back(type(operand));
  Message why;
  const Shape shape = infer_symbolic(op, given, attributes, why);
  if (!why.empty()) fail_with({Reason::SHAPE_MISMATCH, std::string(why.view()), {}});
  if (failed()) return {this, 0};
  const auto first = static_cast<std::uint32_t>(types_.size());
  Node node{
      .op = op, .operand_count = static_cast<std::uint8_t>(operands.size()), .output = first, .attributes = attributes};
  std::ranges::transform(operands, node.operand.begin(), &Value::id);
  nodes_.push_back(node);
  types_.resize(types_.size() + spec(op).output_count(), {Kind::real, shape});
  return {this, first};
}

}  // namespace tenon
