// survey.h: every known device and whether it can be used, found by probing in a helper process. Plain values.
#pragma once
#include <string>
#include <vector>

#include "tenon/catalogue.h"
#include "tenon/loaded_plugin.h"
#include "tenon/probe.h"

namespace tenon::cli {

enum class DeviceState : std::uint8_t { usable, no_hardware, plugin_failed, no_plugin };
std::string_view name(DeviceState state);

struct SurveyedDevice {
  std::string
      device;  // what --device takes: "cpu", "cuda:1", "acme/cuda"; empty: a plugin that cannot say what it brings
  DeviceState state = DeviceState::no_plugin;
  std::string device_class;
  std::string plugin, version, file;  // empty without a plugin
  DeviceFacts facts;                  // what the plugin told of the device, usable or not; no kind: nothing
  std::optional<Error> error;         // why it is not usable
  std::vector<ProviderFacts> providers;
  std::vector<VariantFacts> variants;     // of the plugin's kernels
  std::optional<std::uint64_t> probe_ms;  // nothing: there was nothing to probe
};

/// What is known of a plugin without running it: "usable", "no hardware", "found, not probed", or the code of its
/// error.
struct PluginState {
  std::string word;
  std::optional<Error> error;
  std::optional<bool> usable;           // nothing: it was not probed
  std::optional<ProbeReport> report{};  // the last probe's
};
PluginState known_state(const Candidate& candidate);

/// One entry for each device of the vocabulary and of the manifests, then those plugins that cannot be used and tell no
/// device; every plugin is probed afresh.
std::vector<SurveyedDevice> survey(const Catalogue& catalogue);

}  // namespace tenon::cli
