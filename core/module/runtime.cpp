#include "tenon/runtime.h"

#include <algorithm>
#include <iostream>
#include <iterator>

#include "tenon/abi_values.h"
#include "tenon/atomic_file.h"
#include "tenon/contain.h"
#include "tenon/flags.h"
#include "tenon/text.h"
#include "tenon/worker_pool.h"

namespace tenon {
namespace {

constexpr std::string_view auto_device = "auto";

bool is_auto(const Options& config) { return config.device == auto_device; }

/// What no device could execute, known before one is looked for.
result<void> check_executable(const Options& config) {
  if (!config.scalar_type().executable())
    return fail(Reason::NOT_EXECUTABLE, "[session] dtype " + to_string(config.scalar_type()) + ": " +
                                            std::string(meaning(config.scalar_type())));
  return {};
}

/// `auto` takes this project's portable CPU and nobody else's.
result<Candidate> plugin_for(const Options& config, const DeviceName& device, const Catalogue& catalogue) {
  TENON_TRY(Candidate candidate, find_plugin(device, catalogue));
  if (!is_auto(config) || candidate.own) return candidate;
  return fail(Reason::NO_PLUGIN,
              "[device] auto: the only plugin for " + device.kind + " is not this Tenon's own: found " +
                  candidate.manifest.id + " " + candidate.manifest.version + " of " + candidate.manifest.vendor + " (" +
                  candidate.manifest.library.string() + "), expected one beside libtenon.so",
              "name it: --device " + candidate.manifest.vendor + "/" + device.kind);
}

/// What --plugin names is to serve: kernels without a device of their own, for the memory of this one.
bool brings_kernels_only(const Candidate& candidate) {
  return candidate.origin == Origin::named && candidate.usable() && candidate.manifest.devices.empty();
}

using Candidates = std::vector<Candidate>;

/// The device's own plugin, then those whose kernels may serve too.
Candidates plugins_to_load(const Candidate& of_device, const Catalogue& catalogue) {
  Candidates out{of_device};
  std::ranges::copy_if(catalogue.candidates(), std::back_inserter(out), brings_kernels_only);
  return out;
}

result<void> check_options(const Options& config, const Candidates& used) {
  std::vector<std::string> ids;
  for (const Candidate& candidate : used) ids.push_back(candidate.manifest.id);
  for (const PluginOption& option : config.options)
    if (std::ranges::find(ids, option.plugin) == ids.end())
      return fail(Reason::OPTION_UNKNOWN,
                  "[session] --option " + option.plugin + "." + option.key + ": found the plugin " + option.plugin +
                      ", expected one that the session uses: " + join(ids),
                  "leave it out, or begin it with " + ids.front() + ".; --device and --plugin choose the plugins");
  return {};
}

using Plugins = std::vector<std::shared_ptr<LoadedPlugin>>;

result<Plugins> load(const Candidates& candidates, std::span<const PluginOption> options) {
  Plugins out;
  for (const Candidate& candidate : candidates) {
    TENON_TRY(std::shared_ptr<LoadedPlugin> plugin, LoadedPlugin::load(candidate, options));
    out.push_back(std::move(plugin));
  }
  return out;
}

/// Whose capsules the plugins bring, each once.
std::vector<std::string> providers_of(const Plugins& plugins) {
  std::vector<std::string> out;
  for (const auto& plugin : plugins)
    for (const tenon_capsule* capsule : plugin->capsules())
      if (std::ranges::find(out, capsule->provider) == out.end()) out.emplace_back(capsule->provider);
  return out;
}

/// A name that no capsule bears is a slip, not a policy.
result<void> check_provider(const ProviderPolicy& policy, const Plugins& plugins) {
  if (policy.rule == ProviderPolicy::Rule::first) return {};
  const std::vector<std::string> providers = providers_of(plugins);
  if (std::ranges::find(providers, policy.provider) != providers.end()) return {};
  std::string meant = suggestion(policy.provider, providers);
  return fail(
      Reason::NO_CAPSULE,
      "[session] --provider " + to_string(policy) + ": found no capsule of the provider " + shown(policy.provider) +
          ", expected one of " + join(providers),
      meant.empty() ? "name one of these, or add --plugin FILE for another plugin's capsules" : std::move(meant));
}

SelectionPolicy policy_of(const Options& config, const Candidate& candidate) {
  const bool names_third_party = !is_auto(config) && !candidate.own;
  const Assurance standard = names_third_party ? Assurance::external : Assurance::checked;
  return {config.provider, config.assurance.value_or(standard), config.scalar_type().strict()};
}

result<DType> native_float(const Device& device) {
  const tenon_dtype native = device.facts().native_float;
  if (to_string(native) == name(DType::f64)) return DType::f64;
  if (to_string(native) == name(DType::f32)) return DType::f32;
  return fail(Reason::NO_CAPSULE,
              "[session] dtype float on " + device.name() + ": found the native width " + to_string(native) +
                  ", expected f32 or f64",
              "use --dtype float32:fast");
}

/// "f32, f64": every real dtype that a capsule of the plugin takes.
std::string dtypes_of(const LoadedPlugin& plugin) {
  std::vector<std::string> out;
  for (const tenon_capsule* capsule : plugin.capsules())
    for (const tenon_dtypes& row : std::span(capsule->dtypes, capsule->dtypes_count))
      for (const tenon_dtype& dtype : std::span(row.of, row.count)) {
        std::string word = to_string(dtype);
        if (std::ranges::find(out, word) == out.end()) out.push_back(std::move(word));
      }
  return join(out);
}

result<DType> storage_of(const ScalarType& type, const Device& device) {
  if (type.kind == ScalarType::Kind::native) return native_float(device);
  if (type.kind == ScalarType::Kind::float32) return DType::f32;
  return fail(Reason::NO_CAPSULE,
              "[session] dtype " + to_string(type) + " on " + device.name() + ": no capsule of plugin " +
                  device.plugin().id() + " takes complex numbers: found capsules for " + dtypes_of(device.plugin()) +
                  ", expected c64",
              std::string(info(Reason::NOT_EXECUTABLE).next_step));
}

std::string_view numerics_of(const ScalarType& type) { return type.strict() ? "strict" : "any"; }

SessionFacts facts_of(const Options& config, const Registry& registry, DType real) {
  const Device& device = *registry.device();
  const LoadedPlugin& plugin = device.plugin();
  return {.device = device.name(),
          .device_name = device.facts().name,
          .backend = std::string(name(config.backend)),
          .dtype = to_string(config.scalar_type()),
          .storage = std::string(name(real)),
          .numerics = std::string(numerics_of(config.scalar_type())),
          .policy = to_string(config.provider),
          .assurance = std::string(name(registry.policy().assurance)),
          .plugin = plugin.id(),
          .plugin_version = plugin.version(),
          .plugin_file = plugin.candidate().manifest.library.string(),
          .seed = config.seed,
          .threads = worker_count()};
}

/// What the request left open and the device has settled.
void log_settled(const Options& config, const Device& device, DType real, std::ostream& out) {
  if (config.scalar_type().kind == ScalarType::Kind::native)
    out << "dtype: float is " << name(real) << " on " << device.name() << "\n";
}

result<DeviceRuntime> open(const Options& config, std::ostream& diagnostics) {
  TENON_CHECK(check_executable(config));
  if (!config.trace.empty()) TENON_CHECK(AtomicFile::create(config.trace));
  TENON_TRY(const Catalogue catalogue, Catalogue::scan(config.search()));
  TENON_CHECK(require_named(catalogue));
  TENON_TRY(const DeviceName wanted, requested_device(config, catalogue));
  TENON_TRY(const Candidate candidate, plugin_for(config, wanted, catalogue));
  const Candidates used = plugins_to_load(candidate, catalogue);
  TENON_CHECK(check_options(config, used));
  set_worker_count(config.threads);  // before a plugin is loaded, which may ask how many there are
  TENON_TRY(Plugins plugins, load(used, config.options));
  TENON_CHECK(check_provider(config.provider, plugins));
  TENON_TRY(std::shared_ptr<Device> device, Device::open(plugins.front(), wanted.kind, wanted.ordinal));
  TENON_TRY(const DType real, storage_of(config.scalar_type(), *device));
  if (is_auto(config)) diagnostics << auto_line(device->name(), candidate, catalogue) << "\n";
  log_settled(config, *device, real, diagnostics);
  Registry registry(std::move(device), std::move(plugins), policy_of(config, candidate));
  auto watch = RunWatch::start(config, registry.device());
  if (watch != nullptr) watch->watch().session(facts_of(config, registry, real));
  return DeviceRuntime{std::move(registry), real, std::move(watch), config.seed, config.backend};
}

}  // namespace

SessionOptions DeviceRuntime::session_options(GradientMode mode) const {
  return {.real = real,
          .seed = seed,
          .backend = backend,
          .mode = mode,
          .training_batches = {},
          .evaluation_batches = {},
          .watch = watch == nullptr ? nullptr : &watch->watch()};
}

result<void> DeviceRuntime::finish() { return watch == nullptr ? result<void>() : watch->finish(); }

result<DeviceName> requested_device(const Options& config, const Catalogue& catalogue) {
  return contained("runtime",
                   [&] { return parse_device(is_auto(config) ? "cpu" : std::string_view(config.device), catalogue); });
}

result<DeviceRuntime> open_runtime(const Options& config, std::ostream& diagnostics) {
  return contained("runtime", [&] { return open(config, diagnostics); });
}

result<DeviceRuntime> open_runtime(const Options& config) { return open_runtime(config, std::cerr); }

}  // namespace tenon
