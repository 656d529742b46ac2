#include <algorithm>

#include "tenon/probe.h"
#include "tenon/runtime.h"
#include "tenon/text.h"

namespace tenon {
namespace {

/// What the last probe found, where the catalogue knows from it that the device cannot be used.
std::string known_problem(const ProbeReport& report, const std::string& word, const Catalogue& catalogue) {
  const std::vector<std::string> usable = usable_devices(catalogue);
  if (std::ranges::find(usable, word) != usable.end()) return {};
  return report.error ? std::string(info(report.error->reason).meaning) : "no hardware";
}

/// The manifest's word, or that of all devices of the kind that the last probe could use.
bool is_software(const ManifestDevice& device, const std::optional<ProbeReport>& report) {
  if (device.software || !report) return device.software;
  const auto is_hardware = [&](const DeviceFacts& facts) {
    return facts.kind == device.kind && facts.usable == 0 && !facts.software();
  };
  return std::ranges::none_of(report->devices, is_hardware);
}

std::string why_passed_over(const Candidate& candidate, const ManifestDevice& device, const std::string& word,
                            const Catalogue& catalogue) {
  if (!candidate.usable()) return std::string(info(candidate.error->reason).meaning);
  const auto report = cached_probe(candidate);
  if (report)
    if (auto problem = known_problem(*report, word, catalogue); !problem.empty()) return problem;
  if (is_software(device, report)) return "software device, use --device " + word + " to force";
  return report ? "use --device " + word : "not probed";
}

}  // namespace

std::string auto_line(std::string_view taken, const Candidate& taken_from, const Catalogue& catalogue) {
  std::vector<std::string> others;
  for (const Candidate& candidate : catalogue.candidates()) {
    if (candidate.file == taken_from.file || candidate.shadowed()) continue;
    for (const ManifestDevice& device : candidate.manifest.devices) {
      const std::string word = device_word(candidate, device.kind, catalogue);
      others.push_back(word + " (" + why_passed_over(candidate, device, word, catalogue) + ")");
    }
  }
  const std::string passed = others.empty() ? "no other device is installed" : "passed over: " + join(others);
  return "auto: " + std::string(taken) + " taken; " + passed;
}

}  // namespace tenon
