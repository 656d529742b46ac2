#include <algorithm>

#include "tenon/value.h"

namespace tenon {
namespace {

bool has_others(const Recorder& recorder, std::span<const Value> operands) {
  return std::ranges::any_of(operands, [&](Value v) { return v.recorder != &recorder; });
}

/// Of another's value nothing is known but its name: its recorder may be gone.
Error others_among(const Recorder& recorder, Op op, std::span<const Value> operands) {
  const OpSpec& row = spec(op);
  std::string text = "[" + std::string(row.name) + "] ";
  for (std::size_t i = 0; i < operands.size(); ++i) {
    text.append(i == 0 ? "" : ", ").append(i < row.operand_count() ? row.operand(i) : "operand");
    const bool is_own = operands[i].recorder == &recorder;
    text.append(is_own ? " " + to_string(recorder.shape(operands[i])) : " of another recording");
  }
  return {Reason::INVALID_ARGUMENT,
          text + ": found a value that another session, perhaps on another device, recorded, expected values of one",
          "keep no Value beyond the call of a program; to carry a tensor over, read it and give it as an input"};
}

}  // namespace

// This runs for every operation of an eager program: no allocation and no text unless something is wrong.
Value Recorder::record(Op op, std::span<const Value> operands, const Attributes& attributes,
                       std::span<const Scalar> scalars) {
  if (failed_) return {this, 0};
  if (!fits(spec(op), operands)) {
    if (has_others(*this, operands))
      fail_with(others_among(*this, op, operands));
    else
      infer_shape(op, operands, attributes);
    return {this, 0};
  }
  if (operands.size() > 1 && broadcasts_operands(op) && !have_one_shape(operands))
    return record_broadcast(op, operands, attributes, scalars);
  return on_record(op, operands, attributes, scalars);
}

bool Recorder::fits(const OpSpec& row, std::span<const Value> operands) const {
  if (operands.size() != row.operand_count()) return false;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    if (operands[i].recorder != this || type(operands[i]).kind != row.kind(i)) return false;
  }
  return true;
}

bool Recorder::have_one_shape(std::span<const Value> operands) const {
  const Shape& first = type(operands.front()).shape;
  return std::ranges::all_of(operands.subspan(1), [&](Value v) { return type(v).shape == first; });
}

Value Recorder::record_broadcast(Op op, std::span<const Value> operands, const Attributes& attributes,
                                 std::span<const Scalar> scalars) {
  const std::optional<Shape> target = infer_shape(op, operands, attributes);
  std::array<Value, max_operands> repeated{};
  for (std::size_t i = 0; i < operands.size() && !failed_; ++i)
    repeated[i] =
        shape(operands[i]) == *target ? operands[i] : on_record(Op::broadcast, {&operands[i], 1}, Target{*target}, {});
  if (failed_) return {this, 0};
  return on_record(op, std::span(repeated).first(operands.size()), attributes, scalars);
}

std::optional<Shape> Recorder::infer_shape(Op op, std::span<const Value> operands, const Attributes& attributes) {
  std::array<OperandType, max_operands + 1> types;  // one more than any operation takes, to be refused
  const std::span given = std::span(types).first(std::min(operands.size(), types.size()));
  for (std::size_t i = 0; i < given.size(); ++i) given[i] = type(operands[i]);
  Message why;
  const Shape out = infer(op, given, attributes, why);
  const bool invented = std::ranges::all_of(given, is_static, &OperandType::shape) && !is_static(out);
  if (why.empty() && invented) why << "[" << name(op) << "] the attributes leave the result " << out << " unknown";
  if (why.empty()) return out;
  fail_with({Reason::SHAPE_MISMATCH, std::string(why.view()), {}});
  return std::nullopt;
}

Value apart_from_leaves(Value value) {
  const auto nodes = value.recorder->nodes();
  const auto made = std::ranges::find_if(nodes, [&](const Node& node) {
    return value.id >= node.output && value.id < node.output + spec(node.op).output_count();
  });
  if (made != nodes.end() && !shares_storage(made->op)) return value;
  return value.recorder->record(Op::scale, {&value, 1}, Factor{1});
}

void Recorder::update_state(Value state, Value value) {
  if (failed_) return;
  if (type(state) != type(value))
    return fail_with({Reason::SHAPE_MISMATCH,
                      "[update_state] state " + to_string(shape(state)) + ": found the new value " +
                          to_string(shape(value)) + ", expected the state's shape",
                      {}});
  // States are written one after the other: a new value must not be another one's old.
  on_update_state(state, apart_from_leaves(value));
}

result<void> Recorder::status() const {
  if (failed_) return fail(error_);
  return {};
}

void Recorder::fail_with(Error error) {
  if (failed_) return;
  failed_ = true;
  error_ = std::move(error);
}

}  // namespace tenon
