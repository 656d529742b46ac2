#include "probed_candidate.h"

#include <algorithm>

#include "candidate.h"
#include "elf_facts.h"
#include "tenon/probe.h"

namespace tenon::host {
namespace {

std::string class_name(std::uint32_t device_class) {
  switch (device_class) {
    case TENON_CLASS_CPU:
      return "cpu";
    case TENON_CLASS_GPU:
      return "gpu";
    case TENON_CLASS_NPU:
      return "npu";
    default:
      return "other";
  }
}

void add_kind(const DeviceFacts& device, std::vector<ManifestDevice>& devices) {
  if (std::ranges::find(devices, device.kind, &ManifestDevice::kind) == devices.end())
    devices.push_back({device.kind, class_name(device.device_class), device.software()});
}

/// What nobody asked for twice is not tried twice; but a library that is named is asked for each time.
bool failed_before(const Candidate& candidate) {
  const auto known = cached_probe(candidate);
  return known && known->error;
}

result<void> fill_manifest(Candidate& candidate, const std::filesystem::path& own_object) {
  Manifest& manifest = candidate.manifest;
  TENON_CHECK(check_library(candidate, own_object));
  TENON_TRY(const ElfFacts elf, read_elf(manifest.library));
  manifest.build_id = elf.build_id;
  manifest.architecture = host_architecture();
  TENON_TRY(const ProbeReport report, probe(candidate, failed_before(candidate)));
  if (report.error) return fail(*report.error);
  manifest.id = report.id;
  manifest.vendor = report.vendor;
  manifest.version = report.version;
  manifest.abi_min = report.abi_min;
  manifest.abi_max = report.abi_max;
  for (const DeviceFacts& device : report.devices) add_kind(device, manifest.devices);
  candidate.own = is_own(manifest, own_object);
  return {};
}

}  // namespace

Candidate probed_candidate(const std::filesystem::path& library, const std::filesystem::path& own_object) {
  Candidate candidate{Origin::named, library, {}, std::nullopt, false};
  candidate.manifest.library = library;
  if (auto filled = fill_manifest(candidate, own_object); !filled) candidate.error = std::move(filled).error();
  return candidate;
}

}  // namespace tenon::host
