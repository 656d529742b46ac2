#include "tenon/selection.h"

#include <algorithm>
#include <ostream>
#include <set>

#include "runtime_steps.h"
#include "tenon/abi_values.h"
#include "tenon/contain.h"
#include "tenon/device.h"
#include "tenon/runtime.h"
#include "tenon/worker_pool.h"

namespace tenon {
namespace {

using namespace runtime_steps;

/// Faults of the request: another device, option or file has to be named.
bool is_the_requests(const Error& error) {
  constexpr std::array own{Reason::USAGE, Reason::AMBIGUOUS_DEVICE, Reason::OPTION_UNKNOWN};
  return std::ranges::find(own, error.reason) != own.end();
}

/// Nothing but the device's name is known. Real numbers have the width that every device has; whether it would compute
/// with others, nobody can tell.
result<Selection> nothing_for(const Options& config, const DeviceName& wanted, Error why) {
  const ScalarType::Kind kind = config.scalar_type().kind;
  if (kind != ScalarType::Kind::float32 && kind != ScalarType::Kind::native) return fail(std::move(why));
  return Selection{.device = to_string(wanted),
                   .real = DType::f32,
                   .registry = std::nullopt,
                   .unopened = std::move(why),
                   .asked = true};
}

struct ReadPlugins {
  Plugins plugins;                // the device's own first
  std::optional<Error> unusable;  // why that one was not initialised
};

/// The device's plugin may refuse to initialise; one that --plugin adds may not.
result<ReadPlugins> read_plugins(const Candidates& used, std::span<const PluginOption> options) {
  ReadPlugins out;
  for (const Candidate& candidate : used) {
    auto plugin = LoadedPlugin::load(candidate, options);
    if (!plugin && out.plugins.empty() && !is_the_requests(plugin.error())) {
      out.unusable = std::move(plugin).error();
      plugin = LoadedPlugin::inspect(candidate);
      if (!plugin) return fail(*std::move(out.unusable));
    }
    if (!plugin) return fail(std::move(plugin).error());
    out.plugins.push_back(*std::move(plugin));
  }
  return out;
}

/// What the plugin tells of such a device, which need not be usable.
DeviceFacts known_facts(LoadedPlugin& plugin, const DeviceName& wanted) {
  if (!plugin.initialised()) return {};
  const auto all = enumerate_devices(plugin);
  if (!all) return {};
  const auto found = std::ranges::find(*all, wanted.kind, &DeviceFacts::kind);
  return found == all->end() ? DeviceFacts{} : *found;
}

/// Where the plugin does not tell, its capsules do: theirs if they have one, else that of the kind's own name.
std::string domain_of(const LoadedPlugin& plugin, const DeviceFacts& facts, const std::string& kind) {
  if (!facts.memory_domain.empty()) return facts.memory_domain;
  std::set<std::string> domains;
  for (const tenon_capsule* capsule : plugin.capsules()) domains.insert(capsule->memory_domain);
  return domains.size() == 1 ? *domains.begin() : kind;
}

/// A width that nobody has told is that of every device.
tenon_dtype native_of(const DeviceFacts& facts) {
  return facts.native_float.bits != 0 ? facts.native_float : to_abi(DType::f32);
}

/// As an open device of the plugin would be called.
std::string name_of(const LoadedPlugin& plugin, DeviceName wanted) {
  const std::string& vendor = plugin.candidate().manifest.vendor;
  wanted.vendor = vendor == "tenon" ? "" : vendor;
  return to_string(wanted);
}

result<Selection> with_device(const Options& config, const Candidate& candidate, Plugins plugins,
                              std::shared_ptr<Device> device) {
  TENON_TRY(const DType real,
            storage_of(config.scalar_type(), device->facts().native_float, device->name(), *plugins.front()));
  std::string name = device->name();
  return Selection{.device = std::move(name),
                   .real = real,
                   .registry = Registry(std::move(device), std::move(plugins), policy_of(config, candidate)),
                   .unopened = std::nullopt,
                   .asked = true};
}

result<Selection> without_device(const Options& config, const Candidate& candidate, const DeviceName& wanted,
                                 Plugins plugins, Error why) {
  LoadedPlugin& plugin = *plugins.front();
  const DeviceFacts facts = known_facts(plugin, wanted);
  const std::string name = name_of(plugin, wanted);
  TENON_TRY(const DType real, storage_of(config.scalar_type(), native_of(facts), name, plugin));
  const bool asked = plugin.initialised();
  AnyDevice any{name, domain_of(plugin, facts, wanted.kind)};
  return Selection{.device = name,
                   .real = real,
                   .registry = Registry(std::move(any), std::move(plugins), policy_of(config, candidate)),
                   .unopened = std::move(why),
                   .asked = asked};
}

result<Selection> select_from(const Options& config, const Candidate& candidate, const DeviceName& wanted,
                              const Candidates& used) {
  auto read = read_plugins(used, config.options);
  if (!read && (is_the_requests(read.error()) || used.size() > 1)) return fail(std::move(read).error());
  if (!read) return nothing_for(config, wanted, std::move(read).error());
  TENON_CHECK(check_provider(config.provider, read->plugins));
  if (read->unusable)
    return without_device(config, candidate, wanted, std::move(read->plugins), *std::move(read->unusable));
  auto device = Device::open(read->plugins.front(), wanted.kind, wanted.ordinal);
  if (device) return with_device(config, candidate, std::move(read->plugins), *std::move(device));
  return without_device(config, candidate, wanted, std::move(read->plugins), std::move(device).error());
}

result<Selection> select(const Options& config, std::ostream& diagnostics) {
  TENON_CHECK(check_executable(config));
  TENON_TRY(const Catalogue catalogue, Catalogue::scan(config.search()));
  TENON_CHECK(require_named(catalogue));
  TENON_TRY(const DeviceName wanted, requested_device(config, catalogue));
  auto candidate = plugin_for(config, wanted, catalogue);
  if (!candidate && (is_auto(config) || is_the_requests(candidate.error()))) return fail(std::move(candidate).error());
  if (!candidate) return nothing_for(config, wanted, std::move(candidate).error());
  const Candidates used = plugins_to_load(*candidate, catalogue);
  TENON_CHECK(check_options(config, used));
  set_worker_count(config.threads);  // before a plugin is loaded, which may ask how many there are
  TENON_TRY(Selection selection, select_from(config, *candidate, wanted, used));
  if (is_auto(config)) diagnostics << auto_line(selection.device, *candidate, catalogue) << "\n";
  log_settled(config, selection.device, selection.real, diagnostics);
  return selection;
}

}  // namespace

result<Selection> select_for(const Options& config, std::ostream& diagnostics) {
  return contained("selection", [&] { return select(config, diagnostics); });
}

}  // namespace tenon
