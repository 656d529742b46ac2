// AMD's side of vendor.h; the numbers are those of hip_runtime_api.h.
#include "host/vendor.h"

#include <cstring>

#include "properties.h"
#include "tenon/plugin.hpp"

namespace tenon::gpu {
namespace {

constexpr const char* libraries[] = {"libamdhip64.so.5", "libamdhip64.so.6", "libamdhip64.so.7", "libamdhip64.so"};

std::string version_text(int version) { return plugin::text(version / 10'000'000, ".", version / 100'000 % 100); }

std::string words(const Driver& driver, Status status) {
  const char* said = reinterpret_cast<const char* (*)(Status)>(driver.error_text)(status);
  return said == nullptr ? "unknown error" : said;
}

/// "gfx90a" of "gfx90a:sramecc+:xnack-".
std::string architecture(const Driver& driver, int device) {
  alignas(16) char properties[properties_capacity] = {};
  const auto ask = reinterpret_cast<Status (*)(void*, int)>(driver.properties);
  if (ask(properties, device) != success) return "unknown";
  const std::string_view name(properties + architecture_offset,
                              strnlen(properties + architecture_offset, architecture_bytes));
  return std::string(name.substr(0, name.find(':')));
}

/// A code object runs on the architecture that it was made for.
bool has_code(std::string_view architecture, std::string_view targets) {
  return any_target(targets, [=](std::string_view target) { return target == architecture; });
}

}  // namespace

constexpr Vendor vendor{.driver = "AMD ROCm runtime",
                        .libraries = libraries,
                        .error_text = "hipGetErrorString",
                        .properties = "hipGetDeviceProperties",
                        .multiprocessors = 63,
                        .integrated = 16,
                        .pools = 88,
                        .max_blocks = UINT32_MAX / 256,  // HIP counts a launch's threads in 32 bits
                        .minimum_version = TENON_GPU_MINIMUM_VERSION,
                        .version_text = version_text,
                        .words = words,
                        .architecture = architecture,
                        .has_code = has_code};

}  // namespace tenon::gpu
