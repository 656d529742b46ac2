#include <algorithm>
#include <cstddef>
#include <optional>
#include <string_view>

#include "tables.h"

namespace tenon::host {
namespace {

bool texts_are_there(const char* const* texts, std::uint32_t count) {
  return count == 0 || (texts != nullptr && std::all_of(texts, texts + count, has_text));
}

bool dtypes_are_there(const tenon_dtypes* rows, std::uint32_t count) {
  const auto is_complete = [](const tenon_dtypes& row) { return row.count == 0 || row.of != nullptr; };
  return count > 0 && rows != nullptr && std::all_of(rows, rows + count, is_complete);
}

bool contracts_are_there(const tenon_contract* contracts) {
  const auto is_complete = [](const tenon_contract& c) {
    return c.claim == 0 || (c.summary != nullptr && c.provenance != nullptr);
  };
  return contracts != nullptr && std::all_of(contracts, contracts + TENON_CONTRACT_COUNT, is_complete);
}

bool between(std::uint32_t low, std::uint32_t value, std::uint32_t high) { return low <= value && value <= high; }

/// Where ABI 1.0 ended, all of it mandatory; what a later version appends is optional.
constexpr std::size_t mandatory_capsule_bytes = offsetof(tenon_capsule, release) + sizeof tenon_capsule::release;

/// What is wrong with a capsule of sufficient size; nothing if it is fit for the registry.
std::optional<std::string> fault_in(const tenon_capsule& c) {
  const std::pair<const char*, bool> rules[] = {
      {"op", has_text(c.op)},
      {"provider", has_text(c.provider)},
      {"memory_domain", has_text(c.memory_domain)},
      {"op_version_min", c.op_version_min <= c.op_version_max},
      {"trust", between(TENON_TRUST_CHECKED, c.trust, TENON_TRUST_EXTERNAL)},
      {"gradient", between(TENON_GRADIENT_BY_OPERATIONS, c.gradient, TENON_GRADIENT_NONE)},
      {"layouts", c.layouts != 0},
      {"attributes", texts_are_there(c.attributes, c.attribute_count)},
      {"dtypes", dtypes_are_there(c.dtypes, c.dtypes_count)},
      {"numerics", c.numerics != nullptr && c.numerics->size >= offsetof(tenon_numerics, compute)},
      {"contracts", contracts_are_there(c.contracts)},
      {"supports", c.supports != nullptr},
      {"prepare", c.prepare != nullptr},
      {"launch", c.launch != nullptr},
      {"release", c.release != nullptr},
  };
  for (const auto& [field, holds] : rules)
    if (!holds) return std::string("its field '") + field + "' is missing or out of range";
  return std::nullopt;
}

class CapsuleCopier {
 public:
  CapsuleCopier(bool may_be_checked, PluginTables& ours) : may_be_checked_(may_be_checked), ours_(ours) {}

  void take(std::uint32_t index, const tenon_capsule* theirs) {
    const std::string number = "number " + std::to_string(index);
    if (theirs == nullptr) return reject(number, Reason::BAD_TABLE, "a null pointer stands in the table");
    if (theirs->size < mandatory_capsule_bytes)
      return reject(number, Reason::BAD_TABLE, "its size is too small: " + std::to_string(theirs->size));
    tenon_capsule ours = copy_sized(*theirs);
    if (!has_text(ours.name)) return reject(number, Reason::BAD_TABLE, "it has no name");
    if (const auto fault = fault_in(ours)) return reject(ours.name, Reason::BAD_TABLE, *fault);
    if (is_taken(ours.name))
      return reject(ours.name, Reason::DUPLICATE_CAPSULE, "an earlier capsule of the plugin has its name");
    accept(ours);
  }

 private:
  bool is_taken(std::string_view name) const {
    return std::ranges::any_of(ours_.usable, [&](const tenon_capsule* capsule) { return capsule->name == name; });
  }

  void accept(tenon_capsule& capsule) {
    if (!may_be_checked_) capsule.trust = TENON_TRUST_EXTERNAL;
    capsule.numerics = &ours_.numerics.emplace_back(copy_sized(*capsule.numerics));
    ours_.usable.push_back(&ours_.capsules.emplace_back(capsule));
  }

  void reject(const std::string& name, Reason reason, const std::string& what) {
    const std::string text = "[plugin] " + std::string(ours_.plugin.id) + ": capsule " + name + " is left out: " + what;
    ours_.rejected.push_back({name, {reason, text, {}}});
  }

  bool may_be_checked_;
  PluginTables& ours_;
};

}  // namespace

void copy_capsules(bool may_be_checked, PluginTables& ours) {
  CapsuleCopier copier(may_be_checked, ours);
  for (std::uint32_t i = 0; i < ours.plugin.capsule_count; ++i) copier.take(i, ours.plugin.capsules[i]);
}

}  // namespace tenon::host
