// NVIDIA's side of vendor.h; the numbers are those of cuda.h.
#include "host/vendor.h"

#include <charconv>

#include "tenon/plugin.hpp"

namespace tenon::gpu {
namespace {

constexpr const char* libraries[] = {"libcuda.so.1"};

constexpr int compute_capability_major = 75, compute_capability_minor = 76;

std::string version_text(int version) { return plugin::text(version / 1000, ".", version % 1000 / 10); }

std::string words(const Driver& driver, Status status) {
  const char* said = nullptr;
  const auto error_text = reinterpret_cast<Status (*)(Status, const char**)>(driver.error_text);
  return error_text(status, &said) == success && said != nullptr ? said : "unknown error";
}

int attribute(const Driver& driver, int number, int device) {
  int value = 0;
  return driver.device_attribute(&value, number, device) == success ? value : 0;
}

std::string architecture(const Driver& driver, int device) {
  return plugin::text("sm_", 10 * attribute(driver, compute_capability_major, device) +
                                 attribute(driver, compute_capability_minor, device));
}

/// 90 of "sm_90" and "compute_90".
int capability(std::string_view target) {
  int number = 0;
  const std::size_t underscore = target.find('_');
  if (underscore == std::string_view::npos) return 0;
  std::from_chars(target.data() + underscore + 1, target.data() + target.size(), number);
  return number;
}

/// Code for sm_XY runs where X is the same and Y no less; PTX of compute_XY on everything from there on.
bool serves(std::string_view target, int wanted) {
  const int built = capability(target);
  if (target.starts_with("compute_")) return built <= wanted;
  return built / 10 == wanted / 10 && built <= wanted;
}

bool has_code(std::string_view architecture, std::string_view targets) {
  const int wanted = capability(architecture);
  return any_target(targets, [=](std::string_view target) { return serves(target, wanted); });
}

}  // namespace

constexpr Vendor vendor{.driver = "NVIDIA driver",
                        .libraries = libraries,
                        .error_text = "cuGetErrorString",
                        .properties = nullptr,
                        .multiprocessors = 16,
                        .integrated = 18,
                        .pools = 115,
                        .max_blocks = INT32_MAX,
                        .minimum_version = TENON_GPU_MINIMUM_VERSION,
                        .version_text = version_text,
                        .words = words,
                        .architecture = architecture,
                        .has_code = has_code};

}  // namespace tenon::gpu
