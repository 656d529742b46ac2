#include "runtime_steps.h"

#include <algorithm>
#include <iterator>
#include <ostream>

#include "tenon/abi_values.h"
#include "tenon/flags.h"
#include "tenon/text.h"

namespace tenon::runtime_steps {

bool is_auto(const Options& config) { return config.device == "auto"; }

result<void> check_executable(const Options& config) {
  if (!config.scalar_type().executable())
    return fail(Reason::NOT_EXECUTABLE, "[session] dtype " + to_string(config.scalar_type()) + ": " +
                                            std::string(meaning(config.scalar_type())));
  return {};
}

result<Candidate> plugin_for(const Options& config, const DeviceName& device, const Catalogue& catalogue) {
  TENON_TRY(Candidate candidate, find_plugin(device, catalogue));
  if (!is_auto(config) || candidate.own) return candidate;
  return fail(Reason::NO_PLUGIN,
              "[device] auto: the only plugin for " + device.kind + " is not this Tenon's own: found " +
                  candidate.manifest.id + " " + candidate.manifest.version + " of " + candidate.manifest.vendor + " (" +
                  candidate.manifest.library.string() + "), expected one beside libtenon.so",
              "name it: --device " + candidate.manifest.vendor + "/" + device.kind);
}

namespace {

/// What --plugin names is to serve: kernels without a device of their own, for the memory of this one.
bool brings_kernels_only(const Candidate& candidate) {
  return candidate.origin == Origin::named && candidate.usable() && candidate.manifest.devices.empty();
}

}  // namespace

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

namespace {

/// Whose capsules the plugins bring, each once.
std::vector<std::string> providers_of(const Plugins& plugins) {
  std::vector<std::string> out;
  for (const auto& plugin : plugins)
    for (const tenon_capsule* capsule : plugin->capsules())
      if (std::ranges::find(out, capsule->provider) == out.end()) out.emplace_back(capsule->provider);
  return out;
}

}  // namespace

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

namespace {

result<DType> native_float(tenon_dtype native, const std::string& device) {
  if (to_string(native) == name(DType::f64)) return DType::f64;
  if (to_string(native) == name(DType::f32)) return DType::f32;
  return fail(
      Reason::NO_CAPSULE,
      "[session] dtype float on " + device + ": found the native width " + to_string(native) + ", expected f32 or f64",
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

}  // namespace

result<DType> storage_of(const ScalarType& type, tenon_dtype native, const std::string& device,
                         const LoadedPlugin& plugin) {
  if (type.kind == ScalarType::Kind::native) return native_float(native, device);
  if (type.kind == ScalarType::Kind::float32) return DType::f32;
  return fail(Reason::NO_CAPSULE,
              "[session] dtype " + to_string(type) + " on " + device + ": no capsule of plugin " + plugin.id() +
                  " takes complex numbers: found capsules for " + dtypes_of(plugin) + ", expected c64",
              std::string(info(Reason::NOT_EXECUTABLE).next_step));
}

void log_settled(const Options& config, const std::string& device, DType real, std::ostream& out) {
  if (config.scalar_type().kind == ScalarType::Kind::native)
    out << "dtype: float is " << name(real) << " on " << device << "\n";
}

}  // namespace tenon::runtime_steps
