#include "eager_recorder.h"

#include <algorithm>
#include <cassert>

namespace tenon {

void EagerRecorder::begin(Trace& trace, std::span<const std::span<const std::uint32_t>> naturals) {
  clear_error();
  trace_ = &trace;
  naturals_ = naturals;
  cursor_ = 0;
  following_ = true;
  state_updates_.clear();
  if (steps_.empty()) return;
  buffers_.clear();  // waits for the device, so that no kernel in flight is released below
  steps_.clear();
}

bool EagerRecorder::foreseen(Op op, std::span<const Value> operands, const Attributes& attributes) const {
  if (cursor_ >= trace_->resolved.size()) return false;
  const Node& next = trace_->graph().nodes()[cursor_];
  if (next.op != op || next.operand_count != operands.size()) return false;
  for (std::size_t i = 0; i < operands.size(); ++i)
    if (next.operand[i] != operands[i].id) return false;
  return same_attributes(next.attributes, attributes);
}

Value EagerRecorder::on_record(Op op, std::span<const Value> operands, const Attributes& attributes,
                               std::span<const Scalar> scalars) {
  assert(trace_ != nullptr && "operations belong between begin() and the end of the program");
  if (following_ && foreseen(op, operands, attributes)) [[likely]]
    return run_next(scalars);
  if (following_) leave_trace();
  auto value = run_unforeseen(op, operands, attributes, scalars);
  if (value) return *value;
  fail_with(std::move(value).error());
  return {this, 0};
}

Value EagerRecorder::run_next(std::span<const Scalar> scalars) {
  const Node& node = trace_->graph().nodes()[cursor_];
  Step& step = trace_->resolved.step(cursor_);
  set_scalars(step, node.op, scalars);
  if (!executor_.run(step)) [[unlikely]]
    fail_with(executor_.error(step));
  ++cursor_;
  return {this, node.output};
}

void EagerRecorder::replay_rest() {
  while (cursor_ < trace_->resolved.size() && !failed()) run_next({});
}

void EagerRecorder::set_scalars(Step& step, Op op, std::span<const Scalar> scalars) {
  for (std::size_t i = 0; i < scalars.size(); ++i) step.set_scalar(i, scalars[i]);
  if (spec(op).role == Role::random) step.set_scalar(0, Scalar{.u = draws_.next_key()});
}

void EagerRecorder::leave_trace() {
  const Graph& graph = trace_->graph();
  nodes_.assign(graph.nodes().begin(), graph.nodes().begin() + static_cast<std::ptrdiff_t>(cursor_));
  const std::size_t known = cursor_ < graph.nodes().size() ? graph.nodes()[cursor_].output : graph.types().size();
  types_.assign(graph.types().begin(), graph.types().begin() + static_cast<std::ptrdiff_t>(known));
  refs_.assign(trace_->refs.begin(), trace_->refs.begin() + static_cast<std::ptrdiff_t>(known));
  following_ = false;
}

/// Natural inputs are the last leaves of a trace; no operation makes naturals.
result<void> EagerRecorder::check_indices(Op op, std::span<const Value> operands, const Attributes& attributes) const {
  for (std::size_t i = spec(op).reals.count; i < operands.size(); ++i) {
    const std::size_t natural = operands[i].id - trace_->leaves.first_natural();
    TENON_CHECK(check_bound(bound_of(op, attributes, types_[operands[0].id].shape, i, natural), naturals_[natural]));
  }
  return {};
}

result<Value> EagerRecorder::run_unforeseen(Op op, std::span<const Value> operands, const Attributes& attributes,
                                            std::span<const Scalar> scalars) {
  std::array<OperandType, max_operands> given{};
  std::array<const OperandType*, max_operands> types{};
  Node node{op, static_cast<std::uint8_t>(operands.size()), {}, static_cast<std::uint32_t>(types_.size()), attributes};
  for (std::size_t i = 0; i < operands.size(); ++i) {
    given[i] = types_[operands[i].id];
    types[i] = &given[i];
    node.operand[i] = operands[i].id;
  }
  const std::optional<Shape> shape = infer_shape(op, operands, attributes);
  if (!shape) return Value{this, 0};  // the recorder holds the error
  TENON_CHECK(check_indices(op, operands, attributes));

  const Precision precision{real_, mode_of(trace_->kind)};
  TENON_TRY(auto kernel,
            cache_.get(request_of(op, std::span(types).first(operands.size()), *shape, attributes, precision)));
  Step& step = steps_.emplace_back(std::move(kernel));
  TENON_CHECK(executor_.admit(step));
  for (std::size_t i = 0; i < operands.size(); ++i) step.set_operand(i, refs_[operands[i].id]);
  for (std::size_t i = 0; i < step.output_count(); ++i) {
    TENON_TRY(Buffer buffer, Buffer::allocate(executor_.device().shared_from_this(), step.output_bytes(i)));
    step.set_output(i, buffer.ref());
    refs_.push_back(buffer.ref());
    types_.push_back({Kind::real, step.kernel().request().outputs[i].shape});
    buffers_.push_back(std::move(buffer));
  }
  nodes_.push_back(node);
  set_scalars(step, op, scalars);
  if (!executor_.run(step)) return fail(executor_.error(step));
  return Value{this, node.output};
}

}  // namespace tenon
