#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "plugin_instance.h"
#include "probe_report.h"
#include "run_probe.h"
#include "tenon/probe.h"
#include "variants.h"

namespace tenon {
namespace {

result<Candidate> candidate_of(const std::filesystem::path& file) {
  Candidate candidate{Origin::named, file, {}, std::nullopt, false};
  candidate.manifest.library = file;
  if (file.filename().string().ends_with(".json")) {
    TENON_TRY(candidate.manifest, read_manifest(file));
  }
  return candidate;
}

std::vector<ProviderFacts> providers_of(const LoadedPlugin& plugin) {
  std::vector<ProviderFacts> out;
  for (const tenon_capsule* capsule : plugin.capsules()) {
    auto provider = std::ranges::find(out, capsule->provider, &ProviderFacts::name);
    if (provider == out.end()) provider = out.insert(provider, {capsule->provider, 0});
    ++provider->capsules;
  }
  return out;
}

result<ProbeReport> examine(const std::filesystem::path& file) {
  TENON_TRY(const Candidate candidate, candidate_of(file));
  TENON_TRY(const auto plugin, host::PluginInstance::make(candidate, {}));
  ProbeReport report;
  report.id = plugin->id();
  report.vendor = plugin->table().vendor;
  report.version = plugin->version();
  report.abi_min = plugin->reply().abi_min;
  report.abi_max = plugin->reply().abi_max;
  report.providers = providers_of(*plugin);
  TENON_TRY(report.variants, host::variants_of(*plugin));
  TENON_TRY(report.devices, host::enumerate(*plugin));
  return report;
}

void write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor, text.data(), text.size());
    if (written < 0 && errno != EINTR) return;  // nobody listens any more
    text.remove_prefix(written > 0 ? static_cast<std::size_t>(written) : 0);
  }
}

}  // namespace

void answer_probe(const std::filesystem::path& file, int descriptor) {
  write_all(descriptor, host::probe_greeting());
  const result<ProbeReport> report = examine(file);
  write_all(descriptor, host::to_json(report ? *report : ProbeReport{.error = report.error()}, {}));
}

}  // namespace tenon
