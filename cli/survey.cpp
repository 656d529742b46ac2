#include "survey.h"

#include <algorithm>
#include <array>
#include <map>

namespace tenon::cli {
namespace {

bool says_no_hardware(Reason reason) {
  constexpr std::array reasons{Reason::NO_DEVICE, Reason::DRIVER_MISSING, Reason::DRIVER_TOO_OLD, Reason::DEVICE_LOST};
  return std::ranges::find(reasons, reason) != reasons.end();
}

/// Probes each plugin once, however many kinds it brings.
class Surveyor {
 public:
  explicit Surveyor(const Catalogue& catalogue) : catalogue_(catalogue) {}

  std::vector<SurveyedDevice> survey() {
    const std::vector<std::string> kinds = device_choices(catalogue_);
    for (auto kind = kinds.begin() + 1; kind != kinds.end(); ++kind) add_kind(*kind);  // the first is "auto"
    for (const Candidate& candidate : catalogue_.candidates())
      if (candidate.error && candidate.manifest.devices.empty() && !candidate.shadowed()) add_nameless(candidate);
    return std::move(found_);
  }

 private:
  void add_kind(const std::string& kind) {
    const std::size_t before = found_.size();
    for (const Candidate& candidate : catalogue_.candidates())
      for (const ManifestDevice& device : candidate.manifest.devices)
        if (device.kind == kind && !candidate.shadowed()) add_candidate(candidate, device);
    if (found_.size() > before) return;
    const Error error{Reason::NO_PLUGIN, "not installed",
                      "run `tenon plugins --verbose` to see where plugins are looked for"};
    found_.push_back(
        {kind, DeviceState::no_plugin, device_class({{}, kind, 0}, catalogue_), {}, {}, {}, {}, error, {}, {}, {}});
  }

  /// A plugin too broken to say what it brings.
  void add_nameless(const Candidate& candidate) { found_.push_back(entry_for(candidate, {}, {})); }

  void add_candidate(const Candidate& candidate, const ManifestDevice& device) {
    SurveyedDevice entry = entry_for(candidate, device_word(candidate, device.kind, catalogue_), device.device_class);
    if (candidate.error) return found_.push_back(std::move(entry));
    const result<ProbeReport>& report = probed(candidate);
    if (!report) return add_failed(std::move(entry), report.error());
    entry.providers = report->providers;
    entry.probe_ms = report->took_ms;
    if (report->error) return add_failed(std::move(entry), *report->error);
    entry.variants = report->variants;
    add_devices(entry, device.kind, *report);
  }

  static SurveyedDevice entry_for(const Candidate& candidate, std::string device, std::string device_class) {
    const Manifest& m = candidate.manifest;
    return {.device = std::move(device),
            .state = DeviceState::plugin_failed,
            .device_class = std::move(device_class),
            .plugin = m.id.empty() ? candidate.file.filename().string() : m.id,
            .version = m.version,
            .file = (m.library.empty() ? candidate.file : m.library).string(),
            .facts = {},
            .error = candidate.error,
            .providers = {},
            .variants = {},
            .probe_ms = {}};
  }

  void add_failed(SurveyedDevice entry, const Error& error) {
    entry.state = says_no_hardware(error.reason) ? DeviceState::no_hardware : DeviceState::plugin_failed;
    entry.error = error;
    found_.push_back(std::move(entry));
  }

  void add_devices(const SurveyedDevice& entry, const std::string& kind, const ProbeReport& report) {
    std::vector<DeviceFacts> devices;
    std::ranges::copy_if(report.devices, std::back_inserter(devices),
                         [&](const DeviceFacts& d) { return d.kind == kind; });
    if (devices.empty()) return add_failed(entry, {Reason::NO_DEVICE, "the plugin found no such device", {}});
    for (const DeviceFacts& facts : devices) {
      SurveyedDevice one = entry;
      if (devices.size() > 1) one.device += ":" + std::to_string(facts.ordinal);
      add_device(std::move(one), facts);
    }
  }

  void add_device(SurveyedDevice entry, const DeviceFacts& facts) {
    entry.facts = facts;
    if (facts.usable != TENON_OK) {
      const ReasonInfo& row = info(static_cast<Reason>(facts.usable));
      return add_failed(std::move(entry),
                        {row.reason, facts.why_unusable.empty() ? std::string(row.meaning) : facts.why_unusable, {}});
    }
    entry.state = DeviceState::usable;
    found_.push_back(std::move(entry));
  }

  const result<ProbeReport>& probed(const Candidate& candidate) {
    const auto known = reports_.find(candidate.file);
    return known != reports_.end() ? known->second
                                   : reports_.emplace(candidate.file, probe(candidate, true)).first->second;
  }

  const Catalogue& catalogue_;
  std::vector<SurveyedDevice> found_;
  std::map<std::filesystem::path, result<ProbeReport>> reports_;
};

}  // namespace

std::string_view name(DeviceState state) {
  constexpr std::array<std::string_view, 4> names{"usable", "no hardware", "plugin failed", "no plugin"};
  return names[static_cast<std::size_t>(state)];
}

PluginState known_state(const Candidate& candidate) {
  const auto failed = [](const Error& error) {
    return PluginState{std::string(info(error.reason).name), error, false, std::nullopt};
  };
  if (candidate.error) return failed(*candidate.error);
  const std::vector<ManifestDevice>& promised = candidate.manifest.devices;
  const auto report = cached_probe(candidate);
  if (report && report->error) {
    PluginState state = failed(*report->error);
    state.report = report;
    return state;
  }
  if (report) {
    const auto works = [](const DeviceFacts& d) { return d.usable == TENON_OK; };
    const bool usable = promised.empty() || std::ranges::any_of(report->devices, works);
    return {usable ? "usable" : "no hardware", std::nullopt, usable, report};
  }
  const bool own_cpu = candidate.own && std::ranges::find(promised, "cpu", &ManifestDevice::kind) != promised.end();
  if (own_cpu) return {"usable", std::nullopt, true};
  return {"found, not probed", std::nullopt, std::nullopt};
}

std::vector<SurveyedDevice> survey(const Catalogue& catalogue) { return Surveyor(catalogue).survey(); }

}  // namespace tenon::cli
