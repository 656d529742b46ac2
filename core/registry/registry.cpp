#include "tenon/registry.h"

#include <algorithm>

#include "tenon/abi_values.h"
#include "tenon/attributes_text.h"
#include "tenon/guarded.h"
#include "tenon/text.h"

namespace tenon {
namespace {

bool equal(tenon_dtype a, tenon_dtype b) { return a.code == b.code && a.bits == b.bits && a.lanes == b.lanes; }

bool takes(const tenon_dtypes& combination, const Request& request) {
  const std::size_t operands = request.operands.size();
  if (combination.count != operands + request.outputs.size()) return false;
  for (std::size_t i = 0; i < combination.count; ++i) {
    const TensorType& type = i < operands ? request.operands[i] : request.outputs[i - operands];
    if (!equal(combination.of[i], to_abi(type.dtype))) return false;
  }
  return true;
}

std::string dtypes_taken(const tenon_capsule& capsule) {
  std::string out;
  for (std::uint32_t i = 0; i < capsule.dtypes_count; ++i) {
    out += i == 0 ? "" : "; ";
    for (std::uint32_t j = 0; j < capsule.dtypes[i].count; ++j)
      out.append(j == 0 ? "" : " ").append(to_string(capsule.dtypes[i].of[j]));
  }
  return out;
}

bool is_strict(const tenon_capsule& capsule) {
  return capsule.numerics != nullptr && (capsule.numerics->flags & TENON_NUMERICS_STRICT) != 0;
}

bool knows(const tenon_capsule& capsule, std::string_view attribute) {
  const std::span names(capsule.attributes, capsule.attribute_count);
  return std::ranges::any_of(names, [&](const char* name) { return attribute == name; });
}

/// The first attribute with a value of its own that the capsule does not list.
std::string unknown_attribute(const tenon_capsule& capsule, const tenon_node& node) {
  for (const tenon_attr& attribute : std::span(node.attrs, node.attr_count))
    if (!knows(capsule, attribute.name)) return attribute.name;
  return {};
}

constexpr std::string_view contract_names[] = {"shape", "layout", "value", "vjp"};

/// A trait that would have the capsule read what no argument block carries yet.
std::string_view unsupported_trait(const tenon_capsule& capsule) {
  if ((capsule.traits & TENON_TRAIT_DEVICE_SCALARS) != 0) return "scalars in device memory";
  if ((capsule.traits & TENON_TRAIT_SHAPE_FREE) != 0) return "shapes at launch";
  return {};
}

std::string_view missing_contract(const tenon_capsule& capsule) {
  for (std::size_t i = 0; i < TENON_CONTRACT_COUNT; ++i)
    if (capsule.contracts == nullptr || capsule.contracts[i].claim == 0) return contract_names[i];
  return {};
}

/// What the capsule itself says to the signature; nothing if it agrees, else a refusal with its words.
std::optional<Rejection> ask(const tenon_capsule& capsule, const LoadedPlugin& plugin, tenon_device* device,
                             const tenon_signature& signature) {
  if (!plugin.initialised()) return std::nullopt;  // what it declares has to do
  char words[256] = {};
  tenon_text text{words, sizeof words - 1, 0};
  clear_plugin_error();
  const auto status = guarded(plugin.candidate().manifest.library, "supports",
                              [&] { return capsule.supports(&capsule, device, &signature, &text); });
  if (!status) return Rejection{capsule.name, status.error().reason, status.error().text};
  if (*status == TENON_OK) return std::nullopt;
  if (*status < 0) return Rejection{capsule.name, Reason::DECLINED, plugin_error(*status, "supports").text};
  return Rejection{capsule.name, Reason::DECLINED, {words, std::min<std::size_t>(text.length, sizeof words - 1)}};
}

/// "own gradient of softmax, " of softmax.vjp: beside it stand operations whose gradients are composed.
std::string derived_text(Op op) {
  const bool is_derived = spec(op).role == Role::vjp;
  return is_derived ? "own gradient of " + std::string(name(differentiated_by(op))) + ", " : "";
}

std::string order_text(bool preferred, std::size_t admissible) {
  if (preferred) return "preferred provider";
  return admissible == 1 ? "only admissible" : "first of " + std::to_string(admissible) + " admissible";
}

}  // namespace

std::string to_string(const ProviderPolicy& policy) {
  switch (policy.rule) {
    case ProviderPolicy::Rule::first:
      return "first";
    case ProviderPolicy::Rule::prefer:
      return "prefer:" + policy.provider;
    case ProviderPolicy::Rule::only:
      return "only:" + policy.provider;
  }
  return "?";
}

Registry::Registry(std::shared_ptr<Device> device, std::vector<std::shared_ptr<LoadedPlugin>> plugins,
                   SelectionPolicy policy)
    : device_(std::move(device)),
      target_{device_->name(), device_->facts().memory_domain},
      plugins_(std::move(plugins)),
      policy_(std::move(policy)) {
  add_capsules();
}

Registry::Registry(AnyDevice target, std::vector<std::shared_ptr<LoadedPlugin>> plugins, SelectionPolicy policy)
    : target_(std::move(target)), plugins_(std::move(plugins)), policy_(std::move(policy)) {
  add_capsules();
}

void Registry::add_capsules() {
  for (const auto& plugin : plugins_) {
    const auto first = static_cast<std::ptrdiff_t>(entries_.size());
    for (const tenon_capsule* capsule : plugin->capsules()) entries_.push_back({capsule, plugin.get(), {}});
    std::stable_sort(entries_.begin() + first, entries_.end(),
                     [](const Entry& a, const Entry& b) { return a.capsule->priority > b.capsule->priority; });
  }
  for (auto later = entries_.begin(); later != entries_.end(); ++later)
    for (auto earlier = entries_.begin(); earlier != later; ++earlier)
      if (earlier->plugin != later->plugin && std::string_view(earlier->capsule->name) == later->capsule->name)
        later->disabled = Rejection{later->capsule->name, Reason::DUPLICATE_CAPSULE, earlier->plugin->id()};
  named_.resize(detail::op_rows.size());
  for (const Entry& entry : entries_)
    if (const OpSpec* row = find_op(entry.capsule->op)) named_[static_cast<std::size_t>(row->op)] = true;
}

std::optional<Rejection> Registry::reject(const Entry& entry, const Request& request) const {
  const tenon_capsule& capsule = *entry.capsule;
  const auto because = [&](Reason reason, std::string detail) {
    return Rejection{capsule.name, reason, std::move(detail)};
  };
  const OpSpec& row = spec(request.op);
  if (entry.disabled) return entry.disabled;
  if (target_.memory_domain != capsule.memory_domain) return because(Reason::OTHER_DEVICE, capsule.memory_domain);
  if (row.version < capsule.op_version_min || row.version > capsule.op_version_max)
    return because(Reason::OP_VERSION, "operation version " + std::to_string(row.version));
  const std::span combinations(capsule.dtypes, capsule.dtypes_count);
  if (std::ranges::none_of(combinations, [&](const tenon_dtypes& d) { return takes(d, request); }))
    return because(Reason::OTHER_DTYPE, dtypes_taken(capsule));
  if (policy_.strict && !is_strict(capsule)) return because(Reason::NOT_STRICT, {});
  if (policy_.assurance == Assurance::checked && capsule.trust != TENON_TRUST_CHECKED)
    return because(Reason::TRUST_REFUSED, "trusted-external");
  if (policy_.provider.rule == ProviderPolicy::Rule::only && policy_.provider.provider != capsule.provider)
    return because(Reason::PROVIDER_EXCLUDED, "provider " + std::string(capsule.provider));
  if (request.mode == GradientMode::training && capsule.gradient == TENON_GRADIENT_NONE)
    return because(Reason::GRADIENT_MODE, "evaluation only");
  if ((capsule.layouts & TENON_LAYOUT_DENSE) == 0) return because(Reason::LAYOUT_UNSUPPORTED, "dense");
  if (const auto trait = unsupported_trait(capsule); !trait.empty())
    return because(Reason::TRAIT_UNSUPPORTED, std::string(trait));
  if (const auto contract = missing_contract(capsule); !contract.empty())
    return because(Reason::CONTRACT_MISSING, std::string(contract));
  const AbiSignature signature(request, policy_.strict);
  if (auto attribute = unknown_attribute(capsule, *signature.get().nodes[0]); !attribute.empty())
    return because(Reason::ATTRIBUTE_UNKNOWN, std::move(attribute));
  return ask(capsule, *entry.plugin, device_ != nullptr ? device_->handle() : nullptr, signature.get());
}

Choice Registry::choose(const Request& request) const {
  Choice choice;
  std::vector<const Entry*> admissible;
  for (const Entry& entry : entries_) {
    if (name(request.op) != entry.capsule->op) continue;
    auto rejection = reject(entry, request);
    if (!rejection) admissible.push_back(&entry);
    choice.rejected.push_back(rejection ? *std::move(rejection)
                                        : Rejection{entry.capsule->name, Reason::LATER_IN_ORDER, {}});
  }
  if (admissible.empty()) return choice;
  auto chosen = admissible.begin();
  const bool prefers = policy_.provider.rule == ProviderPolicy::Rule::prefer;
  if (prefers) {
    const auto wanted = std::ranges::find_if(
        admissible, [&](const Entry* e) { return policy_.provider.provider == e->capsule->provider; });
    if (wanted != admissible.end()) chosen = wanted;
  }
  choice.capsule = (*chosen)->capsule;
  choice.plugin = (*chosen)->plugin;
  const bool preferred = prefers && policy_.provider.provider == choice.capsule->provider;
  choice.why = derived_text(request.op) + order_text(preferred, admissible.size());
  std::erase_if(choice.rejected, [&](const Rejection& r) {
    return r.reason == Reason::LATER_IN_ORDER && r.capsule == choice.capsule->name;
  });
  for (Rejection& r : choice.rejected)
    if (r.reason == Reason::LATER_IN_ORDER) r.detail = choice.capsule->name;
  return choice;
}

std::string explain_gap(const Request& request, const Choice& choice, const std::string& device) {
  std::string out = to_string(request);
  const std::string attributes = differences(request.attributes, spec(request.op).defaults);
  if (!attributes.empty()) out += " [" + attributes + "]";
  out += " on " + device + ", " + std::string(name(request.mode)) + ":";
  if (choice.rejected.empty()) out += "\n    no plugin brings a capsule of " + std::string(name(request.op));
  for (const Rejection& r : choice.rejected) {
    out.append("\n    ").append(r.capsule).append(": ").append(info(r.reason).meaning);
    if (!r.detail.empty()) out.append(" (").append(r.detail).append(")");
  }
  return out;
}

}  // namespace tenon
