// The certificate of the plugin, plain and under the Khronos validation layer, whose every message fails it.
#include "device.h"

namespace tenon::test {
namespace {

class Certificate : public OnVulkan {
 protected:
  Outcome check(const std::string& only = {}) {
    std::vector<std::string> args{
        "check", vulkan_manifest, "--exclusions", TENON_TEST_DATA "/exclusions.json", "--timeout", "20"};
    if (!only.empty()) args = {"check", vulkan_manifest, "--only", only};
    return place.tenon(args);
  }
};

class UnderValidation : public Certificate, public testing::WithParamInterface<const char*> {
 protected:
  void SetUp() override {
    if (TENON_TEST_SANITIZED) GTEST_SKIP() << "takes minutes with a sanitizer; the build without one does it";
    Certificate::SetUp();
    if (IsSkipped()) return;
    place.set("TENON_VULKAN_VALIDATION", "standard");
    const Outcome outcome = train();
    if (contains(outcome.err, "VK_LAYER_KHRONOS_validation is not installed"))
      GTEST_SKIP() << "no validation layer (Debian: vulkan-validationlayers)";
  }
  Outcome train() {
    return place.tenon({"train", "linear", "--data", line, "--steps", "2", "--plugin", vulkan_manifest, "--device",
                        "vulkan", "--dtype", "float32"});
  }
};

TEST_F(Certificate, IsGivenOnThisDevice) {
  const Outcome outcome = check();
  EXPECT_EQ(outcome.status, 0) << outcome.out << outcome.err;
}

TEST_P(UnderValidation, EveryKernelIsUsedAsTheSpecificationWants) {
  place.set("TENON_VULKAN_VALIDATION", GetParam());
  const Outcome outcome = check("capsules/values");
  EXPECT_EQ(outcome.status, 0) << outcome.out << outcome.err;
}

TEST_P(UnderValidation, MemoryAndStreamsAreToo) {
  place.set("TENON_VULKAN_VALIDATION", GetParam());
  for (const char* group : {"memory/", "streams/", "threads/streams", "threads/events"}) {
    const Outcome outcome = check(group);
    EXPECT_EQ(outcome.status, 0) << outcome.out << outcome.err;
  }
}

INSTANTIATE_TEST_SUITE_P(OfEveryKind, UnderValidation, testing::Values("standard+synchronization", "gpu-assisted"));

// The layer is told to be pedantic, so that it has something to say.
TEST_P(UnderValidation, AMessageFailsTheRun) {
  EXPECT_EQ(train().status, 0);
  place.set("VK_LAYER_ENABLES", "VK_VALIDATION_FEATURE_ENABLE_BEST_PRACTICES_EXT");
  const Outcome outcome = train();
  EXPECT_EQ(outcome.status, 1);
  EXPECT_TRUE(contains(outcome.err, "[vulkan] the validation layer: ")) << outcome.err;
}

}  // namespace
}  // namespace tenon::test
