#include "tenon/graph.h"

#include <algorithm>

#include "tenon/attributes_text.h"

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

void append_ids(std::string& out, std::span<const std::uint32_t> ids) {
  for (std::size_t i = 0; i < ids.size(); ++i) out.append(i == 0 ? "%" : ", %").append(std::to_string(ids[i]));
}

std::string type_text(const OperandType& type) {
  return (type.kind == Kind::natural ? "natural " : "") + to_string(type.shape);
}

std::string line(const Graph& graph, const Node& node) {
  std::string results, types, out;
  for (std::uint32_t i = 0; i < spec(node.op).output_count(); ++i) {
    const std::uint32_t id = node.output + i;
    append_ids(results.append(i == 0 ? "" : ", "), {&id, 1});
    types.append(i == 0 ? "" : ", ").append(type_text(graph.types()[id]));
  }
  out.append(results).append(" = ").append(name(node.op)).append("(");
  append_ids(out, node.operands());
  const std::string attributes = differences(node.attributes, spec(node.op).defaults);
  out.append(")").append(attributes.empty() ? "" : " {" + attributes + "}");
  return out.append(" : ").append(types).append("\n");
}

}  // namespace

Value Graph::leaf(const OperandType& type) {
  if (is_static(type.shape) && !checked_elements(type.shape))
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
  types_.resize(types_.size() + spec(op).output_count(), {Kind::real, *shape});
  return {this, first};
}

std::string to_string(const Graph& graph) {
  std::string out;
  auto node = graph.nodes().begin();
  for (std::uint32_t id = 0; id < graph.types().size();) {
    if (node != graph.nodes().end() && node->output == id) {
      id += static_cast<std::uint32_t>(spec(node->op).output_count());
      out.append(line(graph, *node++));
    } else {
      out.append("%")
          .append(std::to_string(id))
          .append(" = leaf() : ")
          .append(type_text(graph.types()[id]))
          .append("\n");
      ++id;
    }
  }
  return out;
}

}  // namespace tenon
