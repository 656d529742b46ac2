#include <algorithm>

#include "command.h"
#include "json_output.h"
#include "operation_choice.h"
#include "table.h"
#include "tenon/capsule_text.h"
#include "tenon/op.h"
#include "tenon/runtime.h"
#include "tenon/text.h"

namespace tenon::cli {
namespace {

struct CapsulesArguments {
  std::string op;
  bool json = false;
};

result<void> set_op(CapsulesArguments& arguments, const GivenFlag& flag) {
  if (find_op(*flag.value) == nullptr) return fail(bad_value(flag, operation_names()));
  arguments.op = *flag.value;
  return {};
}

const auto& capsules_settings() {
  static const auto all = std::to_array<Setting<CapsulesArguments>>({
      {{.name = "--op",
        .metavar = "NAME",
        .expected = "the name of an operation, as in the first column",
        .help = "only this operation's, with their numerics in full"},
       set_op},
      {{.name = "--json", .metavar = {}, .expected = {}, .help = "for programs to read"},
       set_true<&CapsulesArguments::json>},
  });
  return all;
}

using Capsules = std::vector<const tenon_capsule*>;

/// In declaration order, those of one operation if one is named.
Capsules select(const LoadedPlugin& plugin, const std::string& op) {
  Capsules out(plugin.capsules().begin(), plugin.capsules().end());
  if (!op.empty()) std::erase_if(out, [&](const tenon_capsule* c) { return op != c->op; });
  return out;
}

std::string numerics(const tenon_capsule& c, bool in_full) {
  const std::string full = numerics_text(*c.numerics);
  return in_full ? full : full.substr(0, full.find(':'));
}

std::string table(const Capsules& capsules, bool in_full) {
  std::vector<std::vector<std::string>> rows{{"operation", "capsule", "provider", "dtypes", "trust", "numerics"}};
  for (const tenon_capsule* c : capsules)
    rows.push_back({c->op, c->name, c->provider, join(dtype_words(*c), "; "), std::string(trust_text(c->trust)),
                    numerics(*c, in_full)});
  return aligned(rows);
}

result<Output> run_capsules(std::span<const std::string> args) {
  TENON_TRY(const auto arguments,
            parse_arguments<CapsulesArguments>(args, capsules_settings(), plugin_and_device_flags()));
  TENON_CHECK(expect_no_words(arguments.words));
  TENON_TRY(const Catalogue catalogue, Catalogue::scan(arguments.exec.search()));
  TENON_TRY(const DeviceName device, requested_device(arguments.exec, catalogue));
  TENON_TRY(const Candidate candidate, find_plugin(device, catalogue));
  TENON_TRY(const std::shared_ptr<LoadedPlugin> plugin, LoadedPlugin::load(candidate, {}));
  const Capsules capsules = select(*plugin, arguments.own.op);
  return Output(arguments.own.json ? to_json(capsules, *plugin) : table(capsules, !arguments.own.op.empty()));
}

}  // namespace

const Command capsules_command{"capsules",
                               "",
                               "list the kernels that a device's plugin brings",
                               [] { return table_of<CapsulesArguments>(capsules_settings()); },
                               plugin_and_device_flags,
                               run_capsules};

}  // namespace tenon::cli
