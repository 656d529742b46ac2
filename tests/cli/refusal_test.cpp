// What cannot be executed is refused when the session is created, in words: 6-acceptance K1, K10.
#include <regex>

#include "failures.h"
#include "golden.h"

namespace tenon::test {
namespace {

class Refusal : public testing::Test {
 protected:
  std::vector<std::string> train(std::vector<std::string> flags) {
    std::vector<std::string> args{"train", "mlp", "--data", data_, "--epochs", "1", "--show-backend"};
    args.insert(args.end(), flags.begin(), flags.end());
    return args;
  }

  Workplace place_;
  std::string data_ = place_.write("d.csv", three_classes());
};

TEST_F(Refusal, OfADeviceWithoutPluginSaysWhereItLookedAndWhatIsUsable) {
  const std::string err = expect_failure(place_, train({"--device", "metal"}));
  EXPECT_EQ(count(err, "capsule: "), 0u);
  EXPECT_NE(err.find("metal: no plugin for it is installed"), std::string::npos);
  EXPECT_NE(err.find("searched: "), std::string::npos);
  EXPECT_NE(err.find("usable devices: cpu"), std::string::npos);
  EXPECT_NE(err.find("reason: NO_PLUGIN"), std::string::npos);
}

TEST_F(Refusal, DoesNotDependOnTheEnvironment) {
  const std::string plain = expect_failure(place_, train({"--device", "tpu"}));
  place_.set("CUDA_PATH", "/nonexistent");
  place_.set("TENON_LOG", "off");
  EXPECT_EQ(expect_failure(place_, train({"--device", "tpu"})), plain);
}

TEST_F(Refusal, MeetsEveryNamedDeviceWithoutPlugin) {
  for (const char* device : {"wasm", "tpu", "trainium", "custom", "external", "custom:3"})
    EXPECT_NE(expect_failure(place_, train({"--device", device})).find("NO_PLUGIN"), std::string::npos) << device;
}

TEST_F(Refusal, OfAMissingOrdinalNamesTheDevice) {
  EXPECT_NE(expect_failure(place_, train({"--device", "cpu:7"})).find("cpu:7"), std::string::npos);
}

TEST_F(Refusal, OfIdealArithmeticNamesTheExecutableChoices) {
  for (const char* dtype : {"real", "ℝ", "fp32", "float32:fp32", "complex:fp32"}) {
    const std::string err = expect_failure(place_, train({"--dtype", dtype}));
    EXPECT_NE(err.find("NOT_EXECUTABLE"), std::string::npos) << err;
    EXPECT_NE(err.find("float, float32 or float32:fast"), std::string::npos);
  }
}

TEST_F(Refusal, OfComplexNumbersNamesTheDTypesThatCapsulesTake) {
  const std::string err = expect_failure(place_, train({"--dtype", "complex"}));
  EXPECT_NE(err.find("NO_CAPSULE"), std::string::npos) << err;
  EXPECT_NE(err.find("found capsules for f32"), std::string::npos) << err;
}

TEST_F(Refusal, OfTheCompiledBackend) {
  EXPECT_NE(expect_failure(place_, train({"--backend", "compiled"})).find("BACKEND_UNAVAILABLE"), std::string::npos);
}

TEST_F(Refusal, OfAProviderThatNothingHasListsTheGaps) {
  const std::string err = expect_failure(place_, train({"--provider", "only:nobody"}));
  EXPECT_NE(err.find("NO_CAPSULE"), std::string::npos) << err;
  EXPECT_NE(err.find("linear(f32 (32, 3), f32 (128, 3), f32 (128))"), std::string::npos) << err;
  EXPECT_EQ(count(err, "capsule: "), 0u);
}

TEST_F(Refusal, OfAnUnusablePluginFileNamesIt) {
  EXPECT_NE(expect_failure(place_, train({"--plugin", "/nonexistent/x.so"})).find("/nonexistent/x.so"),
            std::string::npos);
}

TEST_F(Refusal, OfAnOptionForAPluginThatIsNotUsed) {
  EXPECT_NE(expect_failure(place_, train({"--option", "acme.cache=1"})).find("OPTION_UNKNOWN"), std::string::npos);
}

TEST_F(Refusal, IsAGoldenPage) {
  place_.set("HOME", "/home/you");
  place_.set("XDG_DATA_HOME", "/home/you/.local/share");
  const std::string err = expect_failure(place_, {"train", "mlp", "--data", data_, "--device", "cuda"});
  if (err.find("NO_PLUGIN") == std::string::npos) GTEST_SKIP() << "a cuda plugin is built here";
  expect_golden("failed_session.txt", normalised(err));
}

}  // namespace
}  // namespace tenon::test
