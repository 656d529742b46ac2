// check.h: the list of checks: one array for each group, in the group's own file. Constant data.
#pragma once
#include <span>

#include "bench.h"

namespace tenon::check {

/// What a check says in `docs/certificate.md`, how it is run, and where.
struct Check {
  std::string_view name;  // "odd-sizes"
  std::string_view rule;  // what holds, in a sentence without a full stop
  Verdict (*of_plugin)(Bench&) = nullptr;
  Verdict (*of_capsule)(Bench&, const tenon_capsule&) = nullptr;  // exactly one of the two
  bool alone = false;  // in a process where nothing was initialised, and nothing follows
};

struct Group {
  std::string_view name;
  std::span<const Check> checks;
};

std::span<const Check> interface_checks();
std::span<const Check> life_checks();
std::span<const Check> memory_checks();
std::span<const Check> stream_checks();
std::span<const Check> capsule_checks();
std::span<const Check> contract_checks();
std::span<const Check> thread_checks();
std::span<const Check> robustness_checks();

std::span<const Group> groups();

/// The check that loading is; it comes first and has no function: the process that runs the others is its own test.
inline constexpr std::string_view loads_check = "interface/loads";
/// The check that fails as soon as something was written to standard output, whatever ran.
inline constexpr std::string_view stdout_check = "robustness/stdout";
/// The check that fails as soon as a process does not end as it should, whatever ran.
inline constexpr std::string_view exit_check = "life/exit";

/// One thing to do: a check of the plugin, or of one of its capsules.
struct Item {
  const Group* group;
  const Check* check;
  const tenon_capsule* capsule;  // null: the plugin's
  std::string check_name() const { return std::string(group->name) + "/" + std::string(check->name); }
  std::string id() const;
};

/// Everything, in the order of the list; numbers in it mean the same in each process that loads the plugin.
std::vector<Item> items_for(std::span<const tenon_capsule* const> capsules);

}  // namespace tenon::check
