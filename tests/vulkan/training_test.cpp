// Training on a Vulkan device: the same bits as on the CPU, in both backends.
#include "device.h"

namespace tenon::test {
namespace {

using Words = std::vector<std::string>;

class Training : public OnVulkan {
 protected:
  /// The bytes of the model that a run saves.
  std::string saved(Words run, const Words& device) {
    const std::string file = (place / "model.safetensors").string();
    run.insert(run.begin(), "train");
    run.insert(run.end(), device.begin(), device.end());
    run.insert(run.end(), {"--dtype", "float32", "--save", file});
    const Outcome outcome = place.tenon(run);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    return read_file(file);
  }
  void expect_the_cpus_bits(const Words& run) {
    const std::string cpu = saved(run, {"--device", "cpu"});
    for (const char* backend : {"eager", "compiled"}) {
      const Words vulkan{"--plugin", vulkan_manifest, "--device", "vulkan", "--backend", backend};
      EXPECT_EQ(saved(run, vulkan), cpu) << run[0] << ", " << backend;
    }
  }
};

TEST_F(Training, OfAnMlpGivesTheCpusBits) {
  expect_the_cpus_bits({"mlp", "--data", digits, "--seed", "7", "--steps", "60"});
}

TEST_F(Training, WithEveryOptimizerGivesTheCpusBits) {
  for (const char* optimizer : {"sgd", "momentum", "adam", "adamw", "adagrad", "rmsprop", "adadelta"})
    expect_the_cpus_bits({"linear", "--data", line, "--steps", "5", "--optimizer", optimizer});
}

TEST_F(Training, SaysThatTheDeviceIsSoftware) {
  const Outcome outcome = place.tenon({"devices", "--plugin", vulkan_manifest});
  if (!contains(outcome.out, "llvmpipe")) GTEST_SKIP() << "not lavapipe:\n" << outcome.out;
  EXPECT_TRUE(contains(outcome.out, "(software device)")) << outcome.out;
}

TEST_F(Training, IsNeverOnASoftwareDeviceByAuto) {
  const Outcome outcome =
      place.tenon({"train", "linear", "--data", line, "--steps", "1", "--plugin", vulkan_manifest, "--device", "auto"});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_TRUE(contains(outcome.err, "auto: cpu:0 taken")) << outcome.err;
}

}  // namespace
}  // namespace tenon::test
