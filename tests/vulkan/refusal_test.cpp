// A machine without Vulkan, and options that make no sense, in the plugin's own words.
#include "device.h"

namespace tenon::test {
namespace {

const std::vector<std::string> run{"train", "linear",   "--data",        line,       "--steps",
                                   "1",     "--plugin", vulkan_manifest, "--device", "vulkan"};

/// The loader is told of no driver.
Workplace& without_driver(Workplace& place) {
  place.set("VK_ICD_FILENAMES", "/dev/null");
  place.set("VK_DRIVER_FILES", "/dev/null");
  return place;
}

TEST(WithoutADriver, TheDeviceIsListedWithTheReason) {
  Workplace place;
  const Outcome outcome = without_driver(place).tenon({"devices", "--plugin", vulkan_manifest});
  EXPECT_TRUE(contains(outcome.out, "no Vulkan driver is installed") ||
              contains(outcome.out, "the Vulkan loader cannot be opened"))
      << outcome.out;
}

TEST(WithoutADriver, ASessionIsRefusedBeforeItBegins) {
  Workplace place;
  const Outcome outcome = without_driver(place).tenon(run);
  EXPECT_EQ(outcome.status, 1);
  EXPECT_TRUE(contains(outcome.err, "reason: DRIVER_MISSING")) << outcome.err;
}

/// A folder in which the library of Vulkan's loader is this file.
Workplace& with_loader(Workplace& place, const std::string& folder) {
  place.set("LD_LIBRARY_PATH", folder);
  return place;
}

TEST(WithoutALoader, TheDeviceIsListedWithTheWordsOfTheDynamicLoader) {
  Workplace place;
  place.write("libvulkan.so.1", "no library");
  const Outcome outcome = with_loader(place, (place / "").string()).tenon({"devices", "--plugin", vulkan_manifest});
  EXPECT_TRUE(contains(outcome.out, "the Vulkan loader cannot be opened: ")) << outcome.out;
  EXPECT_TRUE(contains(outcome.out, ": install the GPU's Vulkan driver and its loader")) << outcome.out;
}

TEST(AnOldLoader, IsToldAsThat) {
  Workplace place;
  const Outcome outcome = with_loader(place, TENON_TEST_OLD_LOADER).tenon(run);
  EXPECT_EQ(outcome.status, 1);
  EXPECT_TRUE(contains(outcome.err, "libvulkan.so.1 is older than Vulkan 1.1: update the Vulkan loader"))
      << outcome.err;
  EXPECT_TRUE(contains(outcome.err, "reason: DRIVER_TOO_OLD")) << outcome.err;
}

TEST(Validation, WithoutItsLayerSaysWhatToInstall) {
  Workplace place;
  place.set("VK_LAYER_PATH", (place / "").string());
  place.set("TENON_VULKAN_VALIDATION", "standard");
  const Outcome outcome = place.tenon(run);
  if (contains(outcome.err, "reason: DRIVER_MISSING")) GTEST_SKIP() << "no Vulkan (Debian: mesa-vulkan-drivers)";
  EXPECT_EQ(outcome.status, 1);
  EXPECT_TRUE(contains(outcome.err, "VK_LAYER_KHRONOS_validation is not installed: install it")) << outcome.err;
}

TEST(Validation, OfAnUnknownKindIsRefusedWithTheKnownOnes) {
  Workplace place;
  const auto refused = [&](const std::string& given, const std::string& word) {
    std::vector<std::string> args = run;
    args.insert(args.end(), {"--option", "vulkan.validation=" + given});
    const Outcome outcome = place.tenon(args);
    EXPECT_EQ(outcome.status, 1) << given;
    const std::string words = "found \"" + word + "\", expected off, or of standard, synchronization and gpu-assisted";
    EXPECT_TRUE(contains(outcome.err, words)) << given << ": " << outcome.err;
  };
  refused("everything", "everything");
  refused("standard+synchronisation", "synchronisation");
  refused("standard+off", "off");
  refused("standard+", "");
  refused("", "");
  place.set("TENON_VULKAN_VALIDATION", "standard,gpu-assisted");
  EXPECT_TRUE(contains(place.tenon(run).err, "found \"standard,gpu-assisted\", expected off")) << place.tenon(run).err;
}

class Limits : public OnVulkan {
 protected:
  /// What a program of one operation on a parameterless x of this type is told at its session's creation.
  std::string explained(const std::string& type, const std::string& operation) {
    const std::string program = place.write("limit.tenon", "tenon program 1\n%x = input x : " + type +
                                                               "\n\nforward\n  %y = " + operation + "\n  return %y\n");
    const Outcome outcome = place.tenon({"explain", program, "--plugin", vulkan_manifest, "--device", "vulkan"});
    EXPECT_NE(outcome.status, 0);
    return outcome.out + outcome.err;
  }
};

TEST_F(Limits, OfSpatialAxesAreToldBeforeASessionBegins) {
  const std::string said = explained("(1, 1, 2, 2, 2, 2, 2)", "max_pool(%x) {kernel=(2, 2, 2, 2, 2)}");
  EXPECT_TRUE(contains(said, "serves 4 spatial axes, x has 5")) << said;
}

TEST_F(Limits, OfABindingAreToldInBytes) {
  const std::string said = explained("(1, 2000000000)", "relu(%x)");
  EXPECT_TRUE(contains(said, "a tensor (1, 2000000000) of 8000000000 bytes: this device binds at most ")) << said;
}

}  // namespace
}  // namespace tenon::test
