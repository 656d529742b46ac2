#include <algorithm>

#include "tenon/probe.h"
#include "tenon/runtime.h"
#include "tenon/text.h"

namespace tenon {
namespace {

/// The word that --device takes for it: the kind alone where that is unique.
std::string device_word(const Candidate& candidate, const std::string& kind, const Catalogue& catalogue) {
  const auto found = find_plugin({{}, kind, 0}, catalogue);
  return found && found->file == candidate.file ? kind : candidate.manifest.vendor + "/" + kind;
}

/// Why a probe found that it cannot be used; empty where it can, or where nothing is known.
std::string known_problem(const std::optional<ProbeReport>& report, const std::string& kind) {
  if (!report) return {};
  if (report->error) return std::string(info(report->error->reason).meaning);
  const auto works = [&](const DeviceFacts& device) { return device.kind == kind && device.usable == 0; };
  return std::ranges::any_of(report->devices, works) ? "" : "no hardware";
}

std::string why_passed_over(const Candidate& candidate, const ManifestDevice& device, const std::string& word) {
  if (!candidate.usable()) return std::string(info(candidate.error->reason).meaning);
  const auto report = cached_probe(candidate);
  if (auto problem = known_problem(report, device.kind); !problem.empty()) return problem;
  if (device.software) return "software device, use --device " + word + " to force";
  return report ? "use --device " + word : "not probed";
}

bool is_shadowed(const Candidate& candidate) { return candidate.error && candidate.error->reason == Reason::SHADOWED; }

}  // namespace

std::string auto_line(std::string_view taken, const Candidate& taken_from, const Catalogue& catalogue) {
  std::vector<std::string> others;
  for (const Candidate& candidate : catalogue.candidates()) {
    if (candidate.file == taken_from.file || is_shadowed(candidate)) continue;
    for (const ManifestDevice& device : candidate.manifest.devices) {
      const std::string word = device_word(candidate, device.kind, catalogue);
      others.push_back(word + " (" + why_passed_over(candidate, device, word) + ")");
    }
  }
  const std::string passed = others.empty() ? "no other device is installed" : "passed over: " + join(others);
  return "auto: " + std::string(taken) + " taken; " + passed;
}

}  // namespace tenon
