#include <array>

#include "check.h"

namespace tenon::check {

std::span<const Group> groups() {
  static const auto all = std::to_array<Group>({{"interface", interface_checks()},
                                                {"life", life_checks()},
                                                {"memory", memory_checks()},
                                                {"streams", stream_checks()},
                                                {"capsules", capsule_checks()},
                                                {"contracts", contract_checks()},
                                                {"threads", thread_checks()},
                                                {"robustness", robustness_checks()}});
  return all;
}

std::vector<CheckInfo> all_checks() {
  std::vector<CheckInfo> out;
  for (const Group& group : groups())
    for (const Check& check : group.checks)
      out.push_back({group.name, check.name, check.rule, check.of_capsule != nullptr});
  return out;
}

std::string_view name(Outcome outcome) {
  switch (outcome) {
    case Outcome::passed:
      return "passed";
    case Outcome::failed:
      return "failed";
    case Outcome::skipped:
      return "skipped";
    case Outcome::excluded:
      return "excluded";
  }
  return "?";
}

std::string Item::id() const { return capsule == nullptr ? check_name() : check_name() + ":" + capsule->name; }

std::vector<Item> items_for(std::span<const tenon_capsule* const> capsules) {
  std::vector<Item> out;
  for (const Group& group : groups())
    for (const Check& check : group.checks) {
      if (check.of_capsule == nullptr) out.push_back({&group, &check, nullptr});
      if (check.of_capsule == nullptr) continue;
      for (const tenon_capsule* capsule : capsules) out.push_back({&group, &check, capsule});
    }
  return out;
}

}  // namespace tenon::check
