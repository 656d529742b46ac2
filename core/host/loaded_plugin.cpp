#include "tenon/loaded_plugin.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <exception>
#include <string_view>

#include "fp_guard.h"
#include "host_table.h"
#include "locale_guard.h"
#include "plugin_registry.h"
#include "stdout_guard.h"
#include "tenon/contain.h"
#include "tenon/guarded.h"
#include "tenon/log.h"
#include "tenon/probe.h"
#include "tenon/text.h"

namespace tenon {
namespace {

/// Anything that others wrote, and every driver stack, is first tried where a crash does no harm.
bool needs_probe(const Candidate& candidate) {
  const auto is_plain = [](const ManifestDevice& device) { return device.device_class == "cpu"; };
  return !candidate.own || !std::ranges::all_of(candidate.manifest.devices, is_plain);
}

/// The log names the origin itself.
void warn(const Error& warning) {
  std::string_view text = warning.text;
  if (constexpr std::string_view origin = "[plugin] "; text.starts_with(origin)) text.remove_prefix(origin.size());
  logging::write(logging::Level::warn, "plugin", text);
}

result<void> probe_first(const Candidate& candidate) {
  TENON_TRY(const ProbeReport report, probe(candidate, false));
  if (report.error) return fail(*report.error);
  if (report.warning) warn(*report.warning);
  return {};
}

/// Did the helper come back, whatever it had to tell? Then the plugin can be loaded here as far as it got there.
bool survived(const ProbeReport& report) {
  constexpr std::array fatal{Reason::PROBE_CRASHED, Reason::PROBE_TIMED_OUT, Reason::PROBE_FAILED};
  return !report.error || std::ranges::find(fatal, report.error->reason) == fatal.end();
}

result<void> probe_survival(const Candidate& candidate) {
  TENON_TRY(const ProbeReport report, probe(candidate, false));
  if (!survived(report)) return fail(*report.error);
  return {};
}

std::string text_of(const char* text) { return text != nullptr ? text : ""; }

/// As it can be printed: on one line, of a length that a table takes.
std::string words_of(const char* text) { return excerpt(text_of(text), 200); }

struct FoundDevices {
  std::vector<DeviceFacts> facts;
  std::exception_ptr failed;
};

/// Called by the plugin, which no exception may cross.
void add_facts(void* context, const tenon_device_info* info) {
  auto& found = *static_cast<FoundDevices*>(context);
  try {
    if (info != nullptr) found.facts.push_back(host::device_facts(*info));
  } catch (...) {
    found.failed = std::current_exception();
  }
}

/// A driver's state does not survive a fork; the portable CPU has none.
result<void> check_process(const host::PluginInstance& plugin) {
  if (plugin.process() == ::getpid() || !needs_probe(plugin.candidate())) return {};
  return fail(Reason::FORKED, "[plugin] " + plugin.candidate().manifest.library.string() + ": initialised in process " +
                                  std::to_string(plugin.process()) + ", which this process was forked from");
}

}  // namespace

result<std::shared_ptr<LoadedPlugin>> LoadedPlugin::load(const Candidate& candidate,
                                                         std::span<const PluginOption> options) {
  const auto make = [&]() -> result<std::shared_ptr<host::PluginInstance>> {
    if (needs_probe(candidate)) TENON_CHECK(probe_first(candidate));
    const host::StdoutGuard guard;
    return host::PluginInstance::make(candidate, options);
  };
  return contained("plugin", [&]() -> result<std::shared_ptr<LoadedPlugin>> {
    if (candidate.error) return fail(*candidate.error);
    return host::find_or_load(candidate.manifest.library, make);
  });
}

result<std::shared_ptr<LoadedPlugin>> LoadedPlugin::inspect(const Candidate& candidate) {
  const auto read = [&]() -> result<std::shared_ptr<host::PluginInstance>> {
    if (needs_probe(candidate)) TENON_CHECK(probe_survival(candidate));
    const host::StdoutGuard guard;
    return host::PluginInstance::inspect(candidate);
  };
  return contained("plugin", [&]() -> result<std::shared_ptr<LoadedPlugin>> {
    if (candidate.error) return fail(*candidate.error);
    return host::read_alone(read);
  });
}

DeviceFacts host::device_facts(const tenon_device_info& theirs) {
  tenon_device_info info{};
  __builtin_memcpy(&info, &theirs, std::min<std::size_t>(theirs.size, sizeof info));
  DeviceFacts facts;
  facts.kind = text_of(info.kind);
  facts.name = words_of(info.name);
  facts.driver = words_of(info.driver);
  facts.architecture = words_of(info.architecture);
  facts.memory_domain = text_of(info.memory_domain);
  facts.why_unusable = words_of(info.why_unusable);
  facts.ordinal = info.ordinal;
  facts.device_class = info.device_class;
  facts.flags = info.flags;
  facts.memory_bytes = info.memory_bytes;
  facts.max_allocation_bytes = info.max_allocation_bytes;
  facts.base_alignment_bytes = std::max(1u, info.base_alignment_bytes);
  facts.offset_alignment_bytes = std::max(1u, info.offset_alignment_bytes);
  facts.native_float = info.native_float;
  facts.usable = info.usable;
  return facts;
}

result<std::vector<DeviceFacts>> host::enumerate(const PluginInstance& plugin) {
  TENON_CHECK(check_process(plugin));
  FoundDevices found;
  clear_plugin_error();
  const auto call = [&] { return plugin.devices().enumerate(plugin.devices_self(), add_facts, &found); };
  TENON_TRY(const std::int32_t status, guarded(plugin.candidate().manifest.library, "enumerate", call));
  if (status != TENON_OK && status != TENON_UNIMPLEMENTED)
    return fail(plugin_error(status, plugin.id() + ": enumerate"));
  if (found.failed) std::rethrow_exception(found.failed);
  return std::move(found.facts);
}

result<std::vector<DeviceFacts>> enumerate_devices(LoadedPlugin& plugin) {
  return contained("plugin", [&] {
    const host::StdoutGuard guard;
    const host::FpGuard fp(plugin.candidate().manifest.library, "enumerate");
    const host::LocaleGuard locale(plugin.candidate().manifest.library, "enumerate");
    return host::enumerate(static_cast<const host::PluginInstance&>(plugin));
  });
}

}  // namespace tenon
