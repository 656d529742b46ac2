#include <algorithm>
#include <array>
#include <limits>

#include "tenon/catalogue.h"
#include "tenon/text.h"
#include "unread_manifests.h"

namespace tenon {
namespace {

constexpr auto vocabulary = std::to_array<KnownDevice>({{"cpu", "cpu"},
                                                        {"cuda", "gpu"},
                                                        {"rocm", "gpu"},
                                                        {"vulkan", "gpu"},
                                                        {"metal", "gpu"},
                                                        {"wasm", "cpu"},
                                                        {"tpu", "npu"},
                                                        {"trainium", "npu"},
                                                        {"custom", "other"},
                                                        {"external", "other"}});

/// "acme/cuda:1" in its three parts; no ordinal if there is no colon.
struct DeviceWord {
  std::string vendor, kind;
  std::optional<std::string> ordinal;
};

DeviceWord split(std::string_view word) {
  DeviceWord out;
  if (const auto slash = word.find('/'); slash != word.npos) {
    out.vendor = word.substr(0, slash);
    word.remove_prefix(slash + 1);
  }
  const auto colon = word.find(':');
  out.kind = word.substr(0, colon);
  if (colon != word.npos) out.ordinal = word.substr(colon + 1);
  return out;
}

tl::unexpected<Error> unknown(std::string_view word, const std::string& kind, const Catalogue& catalogue) {
  const std::vector<std::string> choices = device_choices(catalogue);
  const auto suggestion = nearest(kind, choices);
  return fail(Reason::USAGE,
              "[device] " + (word.empty() ? "''" : std::string(word)) +
                  ": no such device name\n  valid names: " + join(choices) + host::unread_manifests(catalogue),
              suggestion ? "did you mean --device " + *suggestion + "?" : "");
}

result<std::uint32_t> parse_ordinal(std::string_view word, const DeviceWord& parts) {
  if (!parts.ordinal) return 0;
  const auto number = parse_unsigned(*parts.ordinal);
  if (number && *number <= std::numeric_limits<std::uint32_t>::max()) return static_cast<std::uint32_t>(*number);
  return fail(Reason::USAGE,
              "[device] " + std::string(word) + ": the ordinal after ':' is " +
                  (parts.ordinal->empty() ? "missing" : "'" + *parts.ordinal + "'") + ", expected a whole number",
              "write --device " + parts.kind + ":0");
}

}  // namespace

std::span<const KnownDevice> known_devices() { return vocabulary; }

std::string to_string(const DeviceName& name) {
  return (name.vendor.empty() ? "" : name.vendor + "/") + name.kind + ":" + std::to_string(name.ordinal);
}

std::vector<std::string> device_choices(const Catalogue& catalogue) {
  std::vector<std::string> out{"auto"};
  const auto add = [&](std::string_view kind) {
    if (std::ranges::find(out, kind) == out.end()) out.emplace_back(kind);
  };
  for (const KnownDevice& device : vocabulary) add(device.kind);
  for (const Candidate& candidate : catalogue.candidates())
    for (const ManifestDevice& device : candidate.manifest.devices) add(device.kind);
  return out;
}

result<DeviceName> parse_device(std::string_view word, const Catalogue& catalogue) {
  const DeviceWord parts = split(word);
  if (parts.kind == "auto")
    return fail(Reason::USAGE,
                "[device] " + std::string(word) + ": auto chooses a device and takes no vendor or ordinal",
                "write --device auto");
  const std::vector<std::string> choices = device_choices(catalogue);
  if (std::ranges::find(choices, parts.kind) == choices.end()) return unknown(word, parts.kind, catalogue);
  if (parts.vendor.empty() && word.starts_with('/'))
    return fail(Reason::USAGE, "[device] " + std::string(word) + ": the vendor before '/' is missing",
                "write --device " + std::string(word.substr(1)));
  TENON_TRY(const std::uint32_t ordinal, parse_ordinal(word, parts));
  return DeviceName{parts.vendor, parts.kind, ordinal};
}

std::string device_class(const DeviceName& device, const Catalogue& catalogue) {
  for (const Candidate& candidate : catalogue.candidates()) {
    if (!device.vendor.empty() && candidate.manifest.vendor != device.vendor) continue;
    for (const ManifestDevice& brought : candidate.manifest.devices)
      if (brought.kind == device.kind) return brought.device_class;
  }
  const auto known = std::ranges::find(vocabulary, device.kind, &KnownDevice::kind);
  return std::string(known != vocabulary.end() ? known->device_class : "other");
}

}  // namespace tenon
