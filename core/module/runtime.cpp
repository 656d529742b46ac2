#include "tenon/runtime.h"

#include <iostream>

#include "runtime_steps.h"
#include "tenon/atomic_file.h"
#include "tenon/contain.h"
#include "tenon/worker_pool.h"

namespace tenon {
namespace {

using namespace runtime_steps;

result<Plugins> load(const Candidates& candidates, std::span<const PluginOption> options) {
  Plugins out;
  for (const Candidate& candidate : candidates) {
    TENON_TRY(std::shared_ptr<LoadedPlugin> plugin, LoadedPlugin::load(candidate, options));
    out.push_back(std::move(plugin));
  }
  return out;
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
  TENON_TRY(const DType real,
            storage_of(config.scalar_type(), device->facts().native_float, device->name(), *plugins.front()));
  if (is_auto(config)) diagnostics << auto_line(device->name(), candidate, catalogue) << "\n";
  log_settled(config, device->name(), real, diagnostics);
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
