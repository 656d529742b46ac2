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
    EXPECT_EQ(count(err, "float, float32 or float32:fast"), 1u) << err;  // the next step
  }
}

TEST_F(Refusal, OfComplexNumbersNamesTheDTypesThatCapsulesTake) {
  const std::string err = expect_failure(place_, train({"--dtype", "complex"}));
  EXPECT_NE(err.find("NO_CAPSULE"), std::string::npos) << err;
  EXPECT_NE(err.find("found capsules for f32"), std::string::npos) << err;
}

TEST_F(Refusal, OfAProviderThatNothingHasListsThoseThatExist) {
  const std::string err = expect_failure(place_, train({"--provider", "only:nobody"}));
  EXPECT_NE(err.find("NO_CAPSULE"), std::string::npos) << err;
  EXPECT_NE(err.find("found no capsule of the provider nobody, expected one of "), std::string::npos) << err;
  EXPECT_EQ(count(err, "capsule: "), 0u);
}

TEST_F(Refusal, OfAnUnusablePluginFileNamesIt) {
  const std::string broken = place_.write("broken.so", "no library");
  for (const std::string& file : {std::string("/nonexistent/x.so"), broken})
    for (const char* device : {"auto", "cpu", "metal"})
      EXPECT_NE(expect_failure(place_, train({"--plugin", file, "--device", device})).find(file), std::string::npos);
}

TEST_F(Refusal, OfAnOptionForAPluginThatIsNotUsed) {
  EXPECT_NE(expect_failure(place_, train({"--option", "acme.cache=1"})).find("OPTION_UNKNOWN"), std::string::npos);
}

TEST_F(Refusal, IsAGoldenPage) {
  const fs::path installed = place_.install();
  const std::string err = expect_failure(place_, {"train", "mlp", "--data", data_, "--device", "cuda"});
  expect_golden("failed_session.txt", normalised(err, installed));
}

}  // namespace
}  // namespace tenon::test
