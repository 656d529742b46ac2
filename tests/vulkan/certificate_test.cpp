// The certificate of the plugin, plain and under the Khronos validation layer, whose every message fails it.
//
// TENON_VULKAN_NIGHTLY=1 has every kernel run under each kind of validation; the normal run takes a part of them.
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

class UnderValidation : public Certificate {
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

struct Kind {
  const char *validation, *values;  // the values that the normal run checks under it
};
void PrintTo(const Kind& kind, std::ostream* out) { *out << kind.validation; }

class UnderEachValidation : public UnderValidation, public testing::WithParamInterface<Kind> {
 protected:
  void SetUp() override {
    UnderValidation::SetUp();
    place.set("TENON_VULKAN_VALIDATION", GetParam().validation);
  }
};

TEST_F(Certificate, IsGivenOnThisDevice) {
  const Outcome outcome = check();
  EXPECT_EQ(outcome.status, 0) << outcome.out << outcome.err;
}

TEST_P(UnderEachValidation, TrainingIsSilent) {
  for (const char* backend : {"eager", "compiled"}) {
    const Outcome outcome = place.tenon({"train", "mlp", "--data", digits, "--steps", "3", "--plugin", vulkan_manifest,
                                         "--device", "vulkan", "--dtype", "float32", "--backend", backend});
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_FALSE(contains(outcome.err, "alidation")) << outcome.err;
  }
}

TEST_P(UnderEachValidation, EveryKernelIsUsedAsTheSpecificationWants) {
  const bool all = std::getenv("TENON_VULKAN_NIGHTLY") != nullptr;
  const Outcome outcome = check(all ? "capsules/values" : GetParam().values);
  EXPECT_EQ(outcome.status, 0) << outcome.out << outcome.err;
}

TEST_P(UnderEachValidation, MemoryAndStreamsAreToo) {
  for (const char* group : {"memory/", "streams/", "threads/streams", "threads/events"}) {
    const Outcome outcome = check(group);
    EXPECT_EQ(outcome.status, 0) << outcome.out << outcome.err;
  }
}

INSTANTIATE_TEST_SUITE_P(OfEveryKind, UnderEachValidation,
                         testing::Values(Kind{"standard+synchronization", "capsules/values:*.f32"},
                                         Kind{"gpu-assisted", "capsules/values:*max*.f32"}));

// The layer is told to be pedantic, so that it has something to say.
TEST_P(UnderEachValidation, AMessageFailsTheRun) {
  EXPECT_EQ(train().status, 0);
  place.set("VK_LAYER_ENABLES", "VK_VALIDATION_FEATURE_ENABLE_BEST_PRACTICES_EXT");
  const Outcome outcome = train();
  EXPECT_EQ(outcome.status, 1);
  EXPECT_TRUE(contains(outcome.err, "[vulkan] the validation layer: ")) << outcome.err;
}

// -- what each kind of validation is for is seen when it is planted -----------------------------------------

class Planted : public UnderValidation {
 protected:
  void expect_heard(const char* validation, const std::string& plan, const std::string& words, int status = 1) {
    place.set("TENON_VULKAN_VALIDATION", validation);
    const Outcome outcome = unruly(place, plan).tenon(a_line());
    EXPECT_EQ(outcome.status, status) << plan;
    EXPECT_TRUE(contains(outcome.err, "[vulkan] the validation layer: ")) << outcome.err;
    EXPECT_TRUE(contains(outcome.err, words)) << outcome.err;
  }
};

TEST_F(Planted, AMissingBarrierIsHeardBySynchronisationValidation) {
  expect_heard("standard+synchronization", "drop:CmdPipelineBarrier", "SYNC-HAZARD");
}

TEST_F(Planted, AStepBeyondABufferIsHeardByGpuAssistedValidation) {
  expect_heard("gpu-assisted", "beyond:1", "access out of bounds");
}

TEST_F(Planted, WhatIsLeftAtTheEndIsHeardByStandardValidation) {
  expect_heard("standard", "drop:DestroyPipelineCache", "has not been destroyed", 0);  // the run was over by then
  place.set("TENON_VULKAN_VALIDATION", "standard");
  EXPECT_EQ(check("life/").status, 1);
}

}  // namespace
}  // namespace tenon::test
