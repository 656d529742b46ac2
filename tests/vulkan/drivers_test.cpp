// Drivers and devices that do not serve, or serve in their own way, as a user meets them.
#include "device.h"

namespace tenon::test {
namespace {

class Drivers : public OnVulkan {
 protected:
  std::string devices(const std::string& plan) {
    const Outcome outcome = unruly(place, plan).tenon({"devices", "--plugin", vulkan_manifest});
    return outcome.out + outcome.err;
  }
  Outcome train(const std::string& plan, const std::string& device = "vulkan") {
    return unruly(place, plan).tenon(a_line(device));
  }
};

#define EXPECT_SAYS(text, part) EXPECT_TRUE(contains(text, part)) << text

TEST_F(Drivers, AreToldApartWhereTheyAreTooOld) {
  EXPECT_SAYS(devices("version:4198400"), "the driver speaks Vulkan 1.1.0, needed is 1.2");
  EXPECT_SAYS(devices("version:4194304"), "the driver speaks Vulkan 1.0.0, needed is 1.2");
  const Outcome outcome = train("version:4198400");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_SAYS(outcome.err, "reason: DRIVER_TOO_OLD");
}

TEST_F(Drivers, NameWhatADeviceLacks) {
  EXPECT_SAYS(devices("lacks:float64"), "the kernels need what this device lacks: shaderFloat64");
  EXPECT_SAYS(devices("lacks:int64"), "the kernels need what this device lacks: shaderInt64");
  EXPECT_SAYS(devices("lacks:timeline"), "the kernels need what this device lacks: timelineSemaphore");
  const Outcome outcome = train("lacks:float64");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_SAYS(outcome.err, "reason: NO_CODE_FOR_ARCH");
}

TEST_F(Drivers, MaySeeNoDevice) {
  EXPECT_SAYS(devices("devices:0"), "the Vulkan drivers that are installed see no device");
  EXPECT_SAYS(devices("fail:EnumeratePhysicalDevices:1:-3"), "the Vulkan driver that is installed does not start");
  EXPECT_SAYS(train("devices:0").err, "reason: NO_DEVICE");
}

TEST_F(Drivers, MayFailToBegin) {
  const std::string said = devices("fail:CreateInstance:1:-1");
  EXPECT_SAYS(said, "[vulkan] creating the instance: VK_ERROR_OUT_OF_HOST_MEMORY");
  EXPECT_SAYS(train("fail:CreateDevice:1:-3").err, "[vulkan] opening the device: VK_ERROR_INITIALIZATION_FAILED");
}

TEST_F(Drivers, ThatLoseTheDeviceEndTheRunWithThatReason) {
  const Outcome outcome = train("lost:12");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_SAYS(outcome.err, "VK_ERROR_DEVICE_LOST");
  EXPECT_SAYS(outcome.err, "reason: DEVICE_LOST");
}

TEST_F(Drivers, WithoutMemoryForAMomentAreAskedAgain) {
  const Outcome outcome = train("fail:CreateBuffer:26:-2");
  EXPECT_SAYS(outcome.err, "vkCreateBuffer failed as planned");
  EXPECT_EQ(outcome.status, 0) << outcome.err;
}

// -- the strict battery -------------------------------------------------------------------------------------

class Battery : public Drivers {};

TEST_F(Battery, DeclinesEveryCapsuleAndNamesTheCase) {
  const struct {
    std::string plan, words;
  } wrong[] = {
      {"wrong:136:133",
       "the strict battery fails on this device: binary32, 1 / 3: found 0x40400000, expected 0x3eaaaaab"},
      {"wrong:129:131",
       "the strict battery fails on this device: binary32, a tie goes to even: found 0x3f7fffff, expected 0x3f800000"},
      {"wrong:133:129",
       "the strict battery fails on this device: binary32, the smallest product: found 0x27000000, expected 0x1"},
  };
  for (const auto& [plan, words] : wrong) {
    const Outcome outcome = train(plan);
    EXPECT_EQ(outcome.status, 1) << plan;
    EXPECT_SAYS(outcome.err, words);
    EXPECT_SAYS(outcome.err, "reason: NO_CAPSULE");
  }
}

TEST_F(Battery, IsToldByExplain) {
  const Outcome outcome =
      unruly(place, "wrong:136:133").tenon({"explain", "mlp", "--plugin", vulkan_manifest, "--device", "vulkan"});
  EXPECT_SAYS(outcome.out + outcome.err, "the strict battery fails on this device: binary32, 1 / 3");
}

// -- several devices, and a graphics card -------------------------------------------------------------------

TEST_F(Drivers, OfSeveralDevicesHaveEachByItsNumber) {
  const std::string listed = devices("devices:2");
  EXPECT_SAYS(listed, "device number 0");
  EXPECT_SAYS(listed, "device number 1");
  const Outcome second = train("devices:2", "vulkan:1");
  EXPECT_EQ(second.status, 0) << second.err;
  EXPECT_EQ(second.out, train("", "vulkan:0").out);
  const Outcome third = train("devices:2", "vulkan:2");
  EXPECT_EQ(third.status, 1);
  EXPECT_SAYS(third.err, "found no such device; it found vulkan:0, vulkan:1");
}

TEST_F(Drivers, OfAGraphicsCardAreUsedWithinItsRules) {
  std::vector<std::string> mlp{"train", "mlp", "--data", digits, "--steps", "20", "--dtype", "float32", "--save"};
  const auto saved = [&](const std::string& file, std::vector<std::string> device) {
    std::vector<std::string> run = mlp;
    run.push_back((place / file).string());
    run.insert(run.end(), device.begin(), device.end());
    const Outcome outcome = place.tenon(run);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    return read_file(place / file);
  };
  const std::string cpu = saved("cpu.safetensors", {"--device", "cpu"});
  unruly(place, "discrete");
  for (const char* backend : {"eager", "compiled"}) {
    EXPECT_EQ(saved(std::string(backend) + ".safetensors",
                    {"--plugin", vulkan_manifest, "--device", "vulkan", "--backend", backend}),
              cpu)
        << backend;
  }
}

}  // namespace
}  // namespace tenon::test
