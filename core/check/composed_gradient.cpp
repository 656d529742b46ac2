#include "composed_gradient.h"

#include "tenon/resolved_graph.h"

namespace tenon::check {
namespace {

/// Runs each operation as it is recorded; the first that cannot be run ends the record.
class RunningRecorder final : public Recorder {
 public:
  RunningRecorder(ReferenceDevice& reference, DType real) : reference_(reference), real_(real) {}

  Value add(OperandType type, Bytes bytes) {
    types_.push_back(std::move(type));
    bytes_.push_back(std::move(bytes));
    return {this, static_cast<std::uint32_t>(types_.size() - 1)};
  }
  const Bytes& bytes(Value value) const { return bytes_[value.id]; }
  const std::optional<Finding>& finding() const { return finding_; }

  const OperandType& type(Value value) const override { return types_[value.id]; }
  std::span<const Node> nodes() const override { return {}; }

 protected:
  Value on_record(Op op, std::span<const Value> operands, const Attributes& attributes,
                  std::span<const Scalar> scalars) override {
    const auto shape = infer_shape(op, operands, attributes);
    if (!shape) return {this, 0};
    std::vector<const OperandType*> types;
    std::vector<Bytes> given;
    for (const Value operand : operands) {
      types.push_back(&types_[operand.id]);
      given.push_back(bytes_[operand.id]);
    }
    const Request request = request_of(op, types, *shape, attributes, {real_, GradientMode::training});
    auto outputs = reference_.run(request, given, scalars);
    if (!outputs) return fail_with_finding(std::move(outputs).error());
    const auto first = static_cast<std::uint32_t>(types_.size());
    for (std::size_t i = 0; i < outputs->size(); ++i) add({Kind::real, request.outputs[i].shape}, (*outputs)[i]);
    return {this, first};
  }

 private:
  Value fail_with_finding(Finding finding) {
    fail_with(Error{.text = finding.found, .hint = {}});  // what follows is inert
    finding_ = std::move(finding);
    return {this, 0};
  }

  ReferenceDevice& reference_;
  DType real_;
  std::vector<OperandType> types_;
  std::vector<Bytes> bytes_;
  std::optional<Finding> finding_;
};

}  // namespace

sought<std::vector<Bytes>> composed_gradient(ReferenceDevice& reference, const DrawnCase& drawn) {
  RunningRecorder recorder(reference, drawn.real);
  const Op vjp = drawn.request.op;
  const std::vector<Bytes> operands = drawn.operand_bytes();
  std::vector<Value> leaves;
  for (std::size_t i = 0; i < operands.size(); ++i)
    leaves.push_back(recorder.add({spec(vjp).kind(i), drawn.operands[i].shape}, operands[i]));
  const auto gradient = composed_vjp(differentiated_by(vjp), leaves, drawn.request.attributes);
  if (recorder.finding()) return tl::unexpected(*recorder.finding());
  if (const auto status = recorder.status(); !status) return skipped("the rule cannot be run: " + status.error().text);
  std::vector<Bytes> out;
  for (std::size_t i = 0; i < spec(vjp).output_count(); ++i)
    out.push_back(gradient[i] ? recorder.bytes(gradient[i]) : Bytes(operands[i].size()));  // +0 where there is none
  return out;
}

}  // namespace tenon::check
