#include "tenon/autograd.h"

#include <cassert>

#include "tenon/gradient_helpers.h"
#include "tenon/graph.h"
#include "tenon/op_table.h"

namespace tenon {
namespace {

using Gradients = std::array<Value, max_operands>;  // by real operand; empty where a node gives none

/// One reverse sweep. It records while it reads, which may move the recorder's nodes: they are read by index.
class Sweep {
 public:
  Sweep(Value loss, std::span<const Value> wanted, const OwnGradient& own);

  /// Walks from the loss back to the wanted values.
  result<void> run();
  Value gradient_of(Value wanted) const;

 private:
  bool lies_on_path(const Node& node) const;
  bool has_gradient(const Node& node) const;
  void mark_path();
  result<void> visit(const Node& node);
  Gradients by_rule(const Node& node, GradientRule rule);
  std::vector<Value> vjp_operands(const Node& node) const;
  bool has_own(const Node& node, std::span<const Value> operands) const;
  Gradients by_vjp(const Node& node, std::span<const Value> operands);

  Recorder& recorder_;
  Value loss_;
  const OwnGradient& own_;
  std::size_t node_count_;       // later nodes are the sweep's own
  std::vector<bool> depends_;    // by id: computed from a wanted value, or one itself
  std::vector<Value> gradient_;  // by id: the contributions so far
};

std::size_t outputs(const Node& node) { return spec(node.op).output_count(); }

std::span<const std::uint32_t> real_operands(const Node& node) {
  return node.operands().first(spec(node.op).reals.count);
}

Sweep::Sweep(Value loss, std::span<const Value> wanted, const OwnGradient& own)
    : recorder_(*loss.recorder),
      loss_(loss),
      own_(own),
      node_count_(recorder_.nodes().size()),
      depends_(loss.id + std::size_t{1}),
      gradient_(loss.id + std::size_t{1}) {
  for (const Value v : wanted) {
    assert(v.recorder == &recorder_ && "a gradient stays within one recorder");
    if (v.id < depends_.size()) depends_[v.id] = true;
  }
  mark_path();
}

bool Sweep::lies_on_path(const Node& node) const {
  return std::ranges::any_of(real_operands(node), [&](std::uint32_t id) { return depends_[id]; });
}

void Sweep::mark_path() {
  for (const Node& node : recorder_.nodes()) {
    if (node.output > loss_.id) break;
    if (!lies_on_path(node)) continue;
    for (std::size_t id = node.output; id < std::min(node.output + outputs(node), depends_.size()); ++id)
      depends_[id] = true;
  }
}

bool Sweep::has_gradient(const Node& node) const {
  if (node.output > loss_.id) return false;
  const auto end = std::min(node.output + outputs(node), gradient_.size());
  return std::any_of(gradient_.begin() + node.output, gradient_.begin() + static_cast<std::ptrdiff_t>(end),
                     [](Value v) { return static_cast<bool>(v); });
}

result<void> Sweep::run() {
  if (depends_[loss_.id]) gradient_[loss_.id] = ones_like(loss_);
  for (std::size_t k = node_count_; k-- > 0;) {
    const Node node = recorder_.nodes()[k];
    if (has_gradient(node) && lies_on_path(node)) TENON_CHECK(visit(node));
    TENON_CHECK(recorder_.status());
  }
  return {};
}

tl::unexpected<Error> not_differentiable(Op op) {
  const Role role = spec(op).role;
  const bool is_gradient = role == Role::internal || role == Role::vjp;
  return fail(
      Reason::NOT_DIFFERENTIABLE,
      "[" + std::string(name(op)) + "] cannot be differentiated: " +
          (is_gradient ? "it is part of a gradient, and there are no second derivatives" : "it has no gradient"));
}

result<void> Sweep::visit(const Node& node) {
  const GradientRule rule = columns(node.op).gradient;
  if (rule == nullptr) return not_differentiable(node.op);
  const std::vector<Value> operands = vjp_operands(node);
  const Gradients gradients = has_own(node, operands) ? by_vjp(node, operands) : by_rule(node, rule);
  // Descending operands: the order of contributions is part of the semantics.
  const auto reals = real_operands(node);
  for (std::size_t i = reals.size(); i-- > 0;)
    if (depends_[reals[i]] && gradients[i]) gradient_[reals[i]] = accumulate(gradient_[reals[i]], gradients[i]);
  return {};
}

Gradients Sweep::by_rule(const Node& node, GradientRule rule) {
  std::array<Value, max_operands> operands{};
  Gradients gradients{};
  std::array<bool, max_operands> wanted{};
  for (std::size_t i = 0; i < node.operand_count; ++i) operands[i] = {&recorder_, node.operand[i]};
  const auto reals = real_operands(node);
  for (std::size_t i = 0; i < reals.size(); ++i) wanted[i] = depends_[reals[i]];
  GradientCall call{.operands = std::span(operands).first(node.operand_count),
                    .output = {&recorder_, node.output},
                    .upstream = gradient_[node.output],
                    .attributes = node.attributes,
                    .wanted = std::span(wanted).first(reals.size()),
                    .gradient = std::span(gradients).first(reals.size())};
  rule(call);
  return gradients;
}

/// As the table orders them: real operands, result, cotangent, natural operands.
std::vector<Value> Sweep::vjp_operands(const Node& node) const {
  std::vector<Value> out;
  const auto all = node.operands();
  const std::size_t reals = real_operands(node).size();
  for (const std::uint32_t id : all.first(reals)) out.push_back({&recorder_, id});
  out.push_back({&recorder_, node.output});
  out.push_back(gradient_[node.output]);
  for (const std::uint32_t id : all.subspan(reals)) out.push_back({&recorder_, id});
  return out;
}

bool Sweep::has_own(const Node& node, std::span<const Value> operands) const {
  if (!own_) return false;
  std::vector<OperandType> types;
  for (const Value operand : operands) types.push_back(recorder_.type(operand));
  return own_(vjp_of(node.op), types, node.attributes);
}

/// X.vjp gives zeros where the rule gives nothing; those are no contribution, since adding +0 would change -0. What the
/// rule gives is asked aside, on types alone.
Gradients Sweep::by_vjp(const Node& node, std::span<const Value> operands) {
  Graph aside;
  std::vector<Value> leaves;
  for (const Value operand : operands) leaves.push_back(aside.leaf(recorder_.type(operand)));
  Gradients gradients = composed_vjp(node.op, leaves, node.attributes);
  const Value first = recorder_.record(vjp_of(node.op), operands, node.attributes);
  for (std::uint32_t i = 0; i < gradients.size(); ++i)
    if (gradients[i]) gradients[i] = Recorder::output(first, i);
  return gradients;
}

Value Sweep::gradient_of(Value wanted) const {
  const bool reached = wanted.id < gradient_.size() && gradient_[wanted.id];
  return reached ? gradient_[wanted.id] : zeros_like(wanted);
}

result<void> check(Value loss, std::span<const Value> wanted) {
  const Recorder& recorder = *loss.recorder;
  TENON_CHECK(recorder.status());
  if (elements(recorder.shape(loss)) != 1)
    return fail(Reason::SHAPE_MISMATCH,
                "[differentiate] the loss has shape " + to_string(recorder.shape(loss)) + ", expected one element");
  for (const Value v : wanted)
    if (recorder.type(v).kind == Kind::natural)
      return fail(Reason::NOT_DIFFERENTIABLE, "[differentiate] natural numbers have no gradient");
  return {};
}

}  // namespace

result<std::vector<Value>> differentiate(Value loss, std::span<const Value> wanted, const OwnGradient& own) {
  TENON_CHECK(check(loss, wanted));
  Sweep sweep(loss, wanted, own);
  TENON_CHECK(sweep.run());
  std::vector<Value> out;
  for (const Value v : wanted) out.push_back(sweep.gradient_of(v));
  TENON_CHECK(loss.recorder->status());
  return out;
}

}  // namespace tenon
