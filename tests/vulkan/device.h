// device.h: the plugin as its users meet it, in a folder of its own.
#pragma once
#include <gtest/gtest.h>

#include "cli/run_tenon.h"

namespace tenon::test {

inline const std::string vulkan_manifest = TENON_TEST_BUILD_DIR "/lib/tenon-plugins/vulkan.tenon.json";
inline const std::string digits = TENON_TEST_SOURCE_DIR "/examples/data/digits.csv";
inline const std::string line = TENON_TEST_SOURCE_DIR "/examples/data/line.csv";

/// Skips where the machine has no Vulkan device.
class OnVulkan : public testing::Test {
 protected:
  static std::vector<std::string> a_line(const std::string& device = "vulkan") {
    return {"train",    "linear",        "--data",   line,   "--steps", "2",
            "--plugin", vulkan_manifest, "--device", device, "--dtype", "float32"};
  }
  void SetUp() override {
    const std::string devices = place.tenon({"devices", "--plugin", vulkan_manifest}).out;
    const std::size_t row = devices.find("\nvulkan ");
    if (row == std::string::npos || devices.find("usable", row) != devices.find_first_not_of(' ', row + 8))
      GTEST_SKIP() << "no Vulkan device (Debian: mesa-vulkan-drivers):\n" << devices;
  }
  Workplace place;
};

/// On the layer that makes the driver do as `plan` says (unruly/unruly.h); what the layer itself finds is status 86.
inline Workplace& unruly(Workplace& place, const std::string& plan) {
  place.set("VK_ADD_LAYER_PATH", TENON_TEST_UNRULY);
  place.set("VK_INSTANCE_LAYERS", "VK_LAYER_TENON_unruly");
  place.set("TENON_UNRULY", plan);
  place.set("NODEVICE_SELECT", "1");  // a layer of Mesa's that does not survive a driver without devices
  return place;
}

inline bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace tenon::test
