// reference_recorder.h: an eager recorder over the double-precision references: programs without a device.
//
// Owns every value. One thread at a time.
#pragma once
#include <vector>

#include "tenon/op_table.h"

namespace tenon {

class ReferenceRecorder final : public Recorder {
 public:
  Value leaf(HostArray array, Kind kind = Kind::real) {
    types_.push_back({kind, array.shape});
    arrays_.push_back(std::move(array));
    return {this, static_cast<std::uint32_t>(types_.size() - 1)};
  }

  const HostArray& array(Value v) const { return arrays_[v.id]; }
  const std::vector<double>& values(Value v) const { return array(v).values; }

  const OperandType& type(Value v) const override {
    static const OperandType nothing;
    return v.id < types_.size() ? types_[v.id] : nothing;
  }
  std::span<const Node> nodes() const override { return nodes_; }

 protected:
  Value on_record(Op op, std::span<const Value> operands, const Attributes& attributes,
                  std::span<const Scalar> scalars) override {
    const auto shape = infer_shape(op, operands, attributes);
    if (!shape) return {this, 0};
    Node node{.op = op, .operand_count = static_cast<std::uint8_t>(operands.size()), .attributes = attributes};
    std::ranges::transform(operands, node.operand.begin(), &Value::id);
    node.output = static_cast<std::uint32_t>(types_.size());
    nodes_.push_back(node);
    for (HostArray& out : compute(op, operands, attributes, scalars, *shape)) leaf(std::move(out));
    return {this, node.output};
  }

 private:
  static HostArray unwritten(const Shape& shape) {
    return {shape, std::vector<double>(static_cast<std::size_t>(known_elements(shape)), -12345)};
  }

  std::vector<HostArray> compute(Op op, std::span<const Value> operands, const Attributes& attributes,
                                 std::span<const Scalar> scalars, const Shape& shape) const {
    std::vector<HostArray> given;
    for (const Value v : operands) given.push_back(array(v));
    const auto operand_shape = [&](std::size_t i) { return given[i].shape; };
    std::vector<HostArray> out;
    for (std::size_t i = 0; i < spec(op).output_count(); ++i)
      out.push_back(unwritten(output_shape(op, i, shape, operand_shape)));
    ReferenceCall call{given, scalars, attributes, out};
    columns(op).reference(call);
    return out;
  }

  std::vector<OperandType> types_;
  std::vector<HostArray> arrays_;
  std::vector<Node> nodes_;
};

/// The operands of a case, drawn as it says, with some fixed generator.
inline std::vector<HostArray> drawn_operands(const Case& c, const OpSpec& row, std::uint64_t seed = 1) {
  const auto next = [&seed] {
    seed = seed * 6364136223846793005U + 1442695040888963407U;
    return static_cast<double>(seed >> 11) * 0x1p-53;
  };
  std::vector<HostArray> out;
  for (std::size_t i = 0; i < c.operands.size(); ++i) {
    HostArray array{c.operands[i], std::vector<double>(static_cast<std::size_t>(known_elements(c.operands[i])))};
    for (double& x : array.values)
      x = row.kind(i) == Kind::natural ? static_cast<double>(static_cast<std::uint32_t>(next() * c.classes))
                                       : c.low + next() * (c.high - c.low);
    if (i < c.values.size() && !c.values[i].empty()) array.values = c.values[i];
    out.push_back(std::move(array));
  }
  return out;
}

}  // namespace tenon
