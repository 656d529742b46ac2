#include "tenon/autograd.h"

#include <cassert>

#include "tenon/gradient_helpers.h"
#include "tenon/op_table.h"

namespace tenon {
namespace {

/// One reverse sweep. It records while it reads, which may move the recorder's nodes: they are read by index.
class Sweep {
 public:
  Sweep(Value loss, std::span<const Value> wanted);

  /// Walks from the loss back to the wanted values.
  result<void> run();
  Value gradient_of(Value wanted) const;

 private:
  bool lies_on_path(const Node& node) const;
  bool has_gradient(const Node& node) const;
  void mark_path();
  result<void> visit(const Node& node);
  void apply_rule(const Node& node, GradientRule rule);

  Recorder& recorder_;
  Value loss_;
  std::size_t node_count_;       // later nodes are the sweep's own
  std::vector<bool> depends_;    // by id: computed from a wanted value, or one itself
  std::vector<Value> gradient_;  // by id: the contributions so far
};

std::size_t outputs(const Node& node) { return spec(node.op).output_count(); }

std::span<const std::uint32_t> real_operands(const Node& node) {
  return node.operands().first(spec(node.op).reals.count);
}

Sweep::Sweep(Value loss, std::span<const Value> wanted)
    : recorder_(*loss.recorder),
      loss_(loss),
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

result<void> Sweep::visit(const Node& node) {
  const GradientRule rule = columns(node.op).gradient;
  if (rule == nullptr)
    return fail(Reason::NOT_DIFFERENTIABLE, "[" + std::string(name(node.op)) + "] cannot be differentiated: " +
                                                (spec(node.op).role == Role::internal
                                                     ? "it is part of a gradient, and there are no second derivatives"
                                                     : "it has no gradient"));
  apply_rule(node, rule);
  return {};
}

void Sweep::apply_rule(const Node& node, GradientRule rule) {
  std::array<Value, max_operands> operands{}, gradient{};
  std::array<bool, max_operands> wanted{};
  for (std::size_t i = 0; i < node.operand_count; ++i) operands[i] = {&recorder_, node.operand[i]};
  const auto reals = real_operands(node);
  for (std::size_t i = 0; i < reals.size(); ++i) wanted[i] = depends_[reals[i]];
  GradientCall call{.operands = std::span(operands).first(node.operand_count),
                    .output = {&recorder_, node.output},
                    .upstream = gradient_[node.output],
                    .attributes = node.attributes,
                    .wanted = std::span(wanted).first(reals.size()),
                    .gradient = std::span(gradient).first(reals.size())};
  rule(call);
  // Descending operands: the order of contributions is part of the semantics.
  for (std::size_t i = reals.size(); i-- > 0;)
    if (wanted[i] && gradient[i]) gradient_[reals[i]] = accumulate(gradient_[reals[i]], gradient[i]);
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

result<std::vector<Value>> differentiate(Value loss, std::span<const Value> wanted) {
  TENON_CHECK(check(loss, wanted));
  Sweep sweep(loss, wanted);
  TENON_CHECK(sweep.run());
  std::vector<Value> out;
  for (const Value v : wanted) out.push_back(sweep.gradient_of(v));
  TENON_CHECK(loss.recorder->status());
  return out;
}

}  // namespace tenon
