// What a capsule says of itself: what it declines, what it grants, what it promises of gradients.
#include <algorithm>
#include <array>

#include "check.h"
#include "kernel_run.h"

namespace tenon::check {
namespace {

/// A copy of a served signature in which one thing is changed; owns what it changes.
class Altered {
 public:
  explicit Altered(const tenon_signature& served)
      : signature_(served), node_(*served.nodes[0]), attributes_(node_.attrs, node_.attrs + node_.attr_count) {
    for (std::uint32_t i = 0; i < served.value_count; ++i) tensors_.push_back(*served.values[i]);
    for (const tenon_tensor& tensor : tensors_) pointers_.push_back(&tensor);
    signature_.values = pointers_.data();
    signature_.nodes = &node_pointer_;
  }
  Altered(const Altered&) = delete;
  Altered& operator=(const Altered&) = delete;

  tenon_tensor& tensor(std::size_t i) { return tensors_[i]; }
  std::size_t tensors() const { return tensors_.size(); }
  void add(const char* attribute) {
    tenon_attr added{attribute, {}};
    added.value.type = TENON_VALUE_INT;
    added.value.count = 1;
    added.value.as.i = 1;
    attributes_.push_back(added);
    node_.attrs = attributes_.data();
    node_.attr_count = static_cast<std::uint32_t>(attributes_.size());
  }
  tenon_node& node() { return node_; }
  tenon_signature& get() { return signature_; }

 private:
  tenon_signature signature_;
  tenon_node node_;
  const tenon_node* node_pointer_ = &node_;
  std::vector<tenon_attr> attributes_;
  std::vector<tenon_tensor> tensors_;
  std::vector<const tenon_tensor*> pointers_;
};

/// A refusal with its reason.
Verdict declines(const Lane& lane, const tenon_capsule& capsule, const tenon_signature& signature,
                 const std::string& what) {
  std::string words;
  TENON_SEEK(const bool is_served, serves(lane, capsule, signature, &words));
  if (is_served) return wrong("supports accepts " + what, "TENON_DECLINED with a reason");
  if (words.empty()) return wrong("supports declines " + what + " without a reason", "a reason in the text");
  return {};
}

Verdict attribute(Bench& bench, const tenon_capsule& capsule) {
  TENON_SEEK(const Served served, served_case(bench, capsule));
  Altered altered(served.drawn->signature.get());
  altered.add("no_such_attribute");
  return declines(*served.lane, capsule, altered.get(), "the attribute no_such_attribute, which it does not list");
}

Verdict dtype(Bench& bench, const tenon_capsule& capsule) {
  TENON_SEEK(const Served served, served_case(bench, capsule));
  for (std::size_t i = 0; i < served.drawn->signature.get().value_count; ++i) {
    Altered altered(served.drawn->signature.get());
    altered.tensor(i).dtype = {TENON_DTYPE_COMPLEX, 24, 1};
    TENON_HOLDS(declines(*served.lane, capsule, altered.get(), "value " + std::to_string(i) + " of 24 complex bits"));
  }
  return {};
}

Verdict count(Bench& bench, const tenon_capsule& capsule) {
  TENON_SEEK(const Served served, served_case(bench, capsule));
  if (served.drawn->signature.get().nodes[0]->input_count == 0) return skipped("it takes no operands");
  Altered altered(served.drawn->signature.get());
  --altered.node().input_count;
  --altered.get().input_count;
  return declines(*served.lane, capsule, altered.get(), "an operand less than the operation has");
}

Verdict layout(Bench& bench, const tenon_capsule& capsule) {
  TENON_SEEK(const Served served, served_case(bench, capsule));
  const std::pair<std::uint32_t, const char*> layouts[] = {{TENON_LAYOUT_ROWS, "rows with gaps"},
                                                           {TENON_LAYOUT_STRIDED, "strides"},
                                                           {TENON_LAYOUT_BROADCAST, "strides of 0"}};
  if (served.drawn->request.operands.empty()) return skipped("it takes no operands");
  for (const auto& [bit, what] : layouts) {
    if ((capsule.layouts & bit) != 0) continue;
    Altered altered(served.drawn->signature.get());
    altered.tensor(0).layout = bit;
    TENON_HOLDS(declines(*served.lane, capsule, altered.get(),
                         std::string("an operand with ") + what + ", which its layouts leave out"));
  }
  return {};
}

Verdict format(Bench& bench, const tenon_capsule& capsule) {
  TENON_SEEK(const Served served, served_case(bench, capsule));
  Altered altered(served.drawn->signature.get());
  altered.tensor(0).format = "no_such_format";
  return declines(*served.lane, capsule, altered.get(), "a tensor of the format no_such_format");
}

Verdict no_device(Bench& bench, const tenon_capsule& capsule) {
  TENON_SEEK(const Served served, served_case(bench, capsule));
  std::array<char, 256> room{};
  tenon_text text{room.data(), room.size(), 0};
  const tenon_signature& signature = served.drawn->signature.get();
  TENON_SEEK(const std::int32_t status, status_of("supports without a device", [&] {
               return capsule.supports(&capsule, nullptr, &signature, &text);
             }));
  if (status == TENON_OK || status == TENON_DECLINED) return {};
  return is_status("supports without a device", status, TENON_OK);
}

Verdict unasked(Bench& bench, const tenon_capsule& capsule) {
  TENON_SEEK(const Served served, served_case(bench, capsule));
  Altered altered(served.drawn->signature.get());
  altered.add("no_such_attribute");
  tenon_kernel prepared{};
  prepared.size = sizeof prepared;
  TENON_SEEK(const std::int32_t status, status_of("prepare", [&] {
               return capsule.prepare(&capsule, served.lane->device(), &altered.get(), &prepared);
             }));
  constexpr std::string_view slot = "prepare, asked for what supports declines,";
  const Verdict refused = is_worded_error(slot, status);
  if (status == TENON_OK) static_cast<void>(release(capsule, prepared.kernel));
  return refused;
}

bool is_proposed(const tenon_signature& signature, std::uint32_t output, std::uint32_t input) {
  for (std::uint32_t i = 0; i < signature.alias_count; ++i)
    if (signature.aliases[std::size_t{2} * i] == output && signature.aliases[std::size_t{2} * i + 1] == input)
      return true;
  return false;
}

Verdict grants_what_is_proposed(const tenon_kernel& kernel, const tenon_signature& signature) {
  if (kernel.alias_count != 0 && kernel.aliases == nullptr)
    return wrong("it grants " + std::to_string(kernel.alias_count) + " pairs, and there are none", "the pairs granted");
  for (std::uint32_t i = 0; i < kernel.alias_count; ++i) {
    const std::uint32_t output = kernel.aliases[std::size_t{2} * i], input = kernel.aliases[std::size_t{2} * i + 1];
    if (!is_proposed(signature, output, input))
      return wrong("it grants that value " + std::to_string(output) + " takes the place of value " +
                       std::to_string(input) + ", which was not proposed",
                   "pairs of the signature's aliases");
  }
  return {};
}

Verdict in_place(Bench& bench, const tenon_capsule& capsule) {
  TENON_SEEK(const Served served, served_case(bench, capsule));
  const DrawnCase& drawn = *served.drawn;
  {
    Altered without(drawn.signature.get());
    without.get().alias_count = 0;
    TENON_SEEK(const PreparedKernel kernel, PreparedKernel::prepare(*served.lane, capsule, without.get()));
    TENON_HOLDS(grants_what_is_proposed(kernel.prepared(), without.get()));
  }
  TENON_SEEK(const PreparedKernel kernel, PreparedKernel::prepare(*served.lane, capsule, drawn.signature.get()));
  TENON_HOLDS(grants_what_is_proposed(kernel.prepared(), drawn.signature.get()));
  if (kernel.prepared().alias_count == 0) return {};
  TENON_SEEK(const auto apart, run_case(*served.lane, capsule, drawn, Placement::apart));
  TENON_SEEK(const auto shared, run_case(*served.lane, capsule, drawn, Placement::in_granted_places));
  for (std::size_t i = 0; i < apart.size(); ++i)
    TENON_HOLDS(same_bytes("output " + std::to_string(i) + " in its operand's place",
                           with_one_nan(shared[i], drawn.real), with_one_nan(apart[i], drawn.real)));
  return {};
}

Verdict workspace(Bench& bench, const tenon_capsule& capsule) {
  TENON_SEEK(const Served served, served_case(bench, capsule));
  TENON_SEEK(const PreparedKernel kernel,
             PreparedKernel::prepare(*served.lane, capsule, served.drawn->signature.get()));
  const tenon_kernel& k = kernel.prepared();
  if (k.workspace_bytes > 0 && k.workspace_alignment_bytes > 64)
    return wrong("it wants a workspace aligned to " + std::to_string(k.workspace_alignment_bytes) + " bytes",
                 "64 bytes at most");
  if (k.saved_count == 0) return {};
  return wrong("it wants " + std::to_string(k.saved_count) + " values saved for its gradient",
               "none: this version of Tenon keeps none");
}

// -- gradients ----------------------------------------------------------------------------------------------

constexpr std::string_view own_gradient_suffix = ".vjp";

bool has_capsule_of(Bench& bench, const std::string& op) {
  const auto capsules = bench.plugin().capsules();
  return std::ranges::any_of(capsules, [&](const tenon_capsule* c) { return op == c->op; });
}

/// An operation X.vjp is checked like any other, by values and bits, where the table has it.
Verdict gradient(Bench& bench, const tenon_capsule& capsule) {
  const std::uint32_t claim = capsule.contracts[TENON_CONTRACT_VJP].claim;
  const std::string own = capsule.op + std::string(own_gradient_suffix);
  if (capsule.gradient == TENON_GRADIENT_OWN && !has_capsule_of(bench, own))
    return wrong("it brings a gradient of its own, and the plugin has no capsule of " + own, "that capsule");
  if (std::string_view(capsule.op).ends_with(own_gradient_suffix)) return {};
  const OpSpec* row = find_op(capsule.op);
  if (row == nullptr) return skipped("this Tenon's table has no operation " + std::string(capsule.op));
  const bool is_differentiable = row->role == Role::plain;
  if (is_differentiable && capsule.gradient != TENON_GRADIENT_NONE && claim != TENON_CLAIM_STATED)
    return wrong("it serves training, and its vjp contract states no claim", "TENON_CLAIM_STATED");
  if (!is_differentiable && claim == TENON_CLAIM_STATED)
    return wrong("its vjp contract states a claim, and the operation has no gradient", "TENON_CLAIM_NONE");
  return {};
}

Verdict training(Bench& bench, const tenon_capsule& capsule) {
  TENON_SEEK(const Served served, served_case(bench, capsule));
  if (capsule.gradient == TENON_GRADIENT_NONE) return skipped("it serves evaluation only");
  Altered altered(served.drawn->signature.get());
  altered.get().flags |= TENON_SIGNATURE_TRAINING;
  std::string words;
  TENON_SEEK(const bool is_served, serves(*served.lane, capsule, altered.get(), &words));
  if (is_served) return {};
  return wrong("it declines for training what it serves for evaluation: " + words,
               "the same answer, or TENON_GRADIENT_NONE");
}

Verdict claims(Bench&, const tenon_capsule& capsule) {
  constexpr std::string_view names[] = {"shape", "layout", "value", "vjp"};
  for (std::size_t i = 0; i < TENON_CONTRACT_COUNT; ++i)
    if (capsule.contracts[i].claim != TENON_CLAIM_STATED && capsule.contracts[i].claim != TENON_CLAIM_NONE)
      return wrong("its " + std::string(names[i]) + " contract has the claim " +
                       std::to_string(capsule.contracts[i].claim) + ": it is never chosen",
                   "TENON_CLAIM_STATED or TENON_CLAIM_NONE");
  return {};
}

bool is_policy(std::uint32_t value, std::uint32_t most) {
  return (value >= 1 && value <= most) || value == TENON_IMPLEMENTATION_DEFINED || value == TENON_NOT_APPLICABLE;
}

Verdict numerics(Bench&, const tenon_capsule& capsule) {
  const tenon_numerics& n = *capsule.numerics;
  const std::tuple<const char*, std::uint32_t, std::uint32_t> policies[] = {
      {"rounding", n.rounding, TENON_ROUNDING_DIRECTED},
      {"subnormals", n.subnormals, TENON_SUBNORMALS_FLUSH},
      {"contraction", n.contraction, TENON_CONTRACTION_FUSED},
      {"reduction", n.reduction, TENON_REDUCTION_FIXED_TREE}};
  for (const auto& [name, value, most] : policies)
    if (!is_policy(value, most))
      return wrong("its " + std::string(name) + " is " + std::to_string(value), "a policy of plugin.h");
  const bool is_strict = (n.flags & TENON_NUMERICS_STRICT) != 0;
  if (is_strict && (n.rounding == TENON_ROUNDING_DIRECTED || n.subnormals == TENON_SUBNORMALS_FLUSH ||
                    n.contraction == TENON_CONTRACTION_FUSED))
    return wrong("it claims strict numerics, and other rounding, subnormals or contraction than those",
                 "nearest-even, gradual, separate");
  return {};
}

constexpr auto of_contracts = std::to_array<Check>({
    {"claims", "every field of the contract has a claim", nullptr, claims},
    {"numerics", "every numeric policy is one of plugin.h, and strict means strict", nullptr, numerics},
    {"gradient", "what is said of the gradient fits the operation, and X.vjp is there where it is promised", nullptr,
     gradient},
    {"training", "what is served for evaluation is served for training", nullptr, training},
    {"attribute", "an attribute that is not listed is declined, with a reason", nullptr, attribute},
    {"dtype", "another dtype is declined, with a reason", nullptr, dtype},
    {"count", "a missing operand is declined, with a reason", nullptr, count},
    {"layout", "a layout that is not listed is declined, with a reason", nullptr, layout},
    {"format", "a format that is not known is declined, with a reason", nullptr, format},
    {"no-device", "supports answers without a device", nullptr, no_device},
    {"unasked", "prepare fails, with a word, for what supports declines", nullptr, unasked},
    {"in-place", "places are granted from those proposed, and results in them are the same", nullptr, in_place},
    {"workspace", "a kernel asks for nothing that its arguments will not have", nullptr, workspace},
});

}  // namespace

std::span<const Check> contract_checks() { return of_contracts; }

}  // namespace tenon::check
