#include "plugin_instance.h"

#include <unistd.h>

#include "abi_range.h"
#include "candidate.h"
#include "fp_guard.h"
#include "host_table.h"
#include "locale_guard.h"
#include "negotiate.h"
#include "own_object.h"
#include "plugin_registry.h"
#include "tenon/guarded.h"
#include "tenon/validation.h"
#include "validate/validate.h"

namespace tenon::host {
namespace {

std::vector<tenon_attr> attributes_for(const std::string& id, std::span<const PluginOption> options) {
  std::vector<tenon_attr> out;
  for (const PluginOption& option : options) {
    if (option.plugin != id) continue;
    tenon_attr attribute{option.key.c_str(), {}};
    attribute.value.type = TENON_VALUE_TEXT;
    attribute.value.count = 1;
    attribute.value.as.s = option.value.c_str();
    out.push_back(attribute);
  }
  return out;
}

/// A plain failure of initialize means that it refused; more precise statuses keep their own reason.
Error initialize_error(std::int32_t status, const std::filesystem::path& library) {
  Error error = plugin_error(status, "plugin");
  error.text.insert(sizeof "[plugin]", library.string() + ": initialize: ");
  if (error.reason == Reason::KERNEL_FAILED) error.reason = Reason::INITIALIZE_FAILED;
  return error;
}

}  // namespace

result<std::shared_ptr<PluginInstance>> PluginInstance::make(const Candidate& candidate,
                                                             std::span<const PluginOption> options) {
  TENON_CHECK(check_library(candidate, own_object()));
  const FpGuard fp(candidate.manifest.library, "loading it");
  const LocaleGuard locale(candidate.manifest.library, "loading it");
  TENON_TRY(std::shared_ptr<PluginInstance> plugin, read(candidate));
  TENON_CHECK(plugin->initialize(options));
  return plugin;
}

result<std::shared_ptr<PluginInstance>> PluginInstance::inspect(const Candidate& candidate) {
  TENON_CHECK(check_library(candidate, own_object()));
  const FpGuard fp(candidate.manifest.library, "loading it");
  const LocaleGuard locale(candidate.manifest.library, "loading it");
  return read(candidate);
}

result<std::shared_ptr<PluginInstance>> PluginInstance::read(const Candidate& candidate) {
  TENON_TRY(const Library library, Library::open(candidate.manifest.library));
  keep_loaded(library);
  std::shared_ptr<PluginInstance> plugin(new PluginInstance(candidate));
  TENON_CHECK(plugin->copy_tables(library));
  TENON_CHECK(plugin->check_identity());
  return plugin;
}

result<void> PluginInstance::copy_tables(const Library& library) {
  TENON_TRY(reply_, negotiate(library));
  const std::string offered = abi_facts(reply_.abi_min, reply_.abi_max);
  TENON_CHECK(copy_plugin_table(library.file(), *reply_.plugin, offered, tables_));
  id_ = tables_.plugin.id;
  version_ = tables_.plugin.version;
  copy_capsules(candidate_.own, tables_);
  TENON_TRY(const bool wants_checks, validates());
  if (wants_checks) validated_ = validate(tables_);
  return {};
}

result<void> PluginInstance::check_identity() const {
  const Manifest& m = candidate_.manifest;
  if (m.id.empty()) return {};  // a library that was named without a manifest
  if (m.id == id_ && m.vendor == tables_.plugin.vendor && m.version == version_) return {};
  return fail(Reason::MANIFEST_STALE, "[plugin] " + candidate_.file.string() + ": describes " + m.vendor + "/" + m.id +
                                          " " + m.version + ", but " + m.library.string() + " is " +
                                          tables_.plugin.vendor + "/" + id_ + " " + version_);
}

result<void> PluginInstance::initialize(std::span<const PluginOption> options) {
  const std::vector<tenon_attr> attributes = attributes_for(id_, options);
  const auto call = [&] {
    return tables_.plugin.initialize(attributes.data(), static_cast<std::uint32_t>(attributes.size()), &self_);
  };
  clear_plugin_error();
  TENON_TRY(const std::int32_t status, guarded(candidate_.manifest.library, "initialize", call));
  if (status != TENON_OK) return fail(initialize_error(status, candidate_.manifest.library));
  devices_self_ = validated_ == nullptr ? self_ : validated_self(*validated_, self_);
  process_ = ::getpid();
  return {};
}

}  // namespace tenon::host
