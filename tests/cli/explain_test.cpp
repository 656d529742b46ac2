// `tenon explain`: which capsule serves each operation, and why not another.
#include <nlohmann/json.hpp>

#include "failures.h"
#include "golden.h"

namespace tenon::test {
namespace {

const std::string example = TENON_TEST_SOURCE_DIR "/examples/programs/weighted_sum.tenon";

class Explain : public testing::Test {
 protected:
  std::string text(const std::vector<std::string>& args) {
    const Outcome outcome = place_.tenon(args);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    return outcome.out;
  }
  nlohmann::json json(const std::vector<std::string>& args) { return nlohmann::json::parse(text(args)); }

  Workplace place_;
};

TEST_F(Explain, OfAProgramIsAGoldenPage) {
  const fs::path installed = place_.install();
  expect_golden("explain.txt", normalised(text({"explain", example, "--extent", "batch=32"}), installed));
}

TEST_F(Explain, SaysForProgramsWhatItSaysForPeople) {
  const nlohmann::json page = json({"explain", example, "--json", "--dtype", "float"});
  EXPECT_EQ(page["program"], "weighted_sum");
  EXPECT_EQ(page["real"], "f64");
  EXPECT_EQ(page["leaves"][2], "%2 = input x : (1, 2)");
  ASSERT_EQ(page["parts"].size(), 2u);
  const nlohmann::json& linear = page["parts"][0]["operations"][0];
  EXPECT_EQ(linear["op"], "linear");
  EXPECT_EQ(linear["text"], "%4 = linear(%2, %0, %1) : (1, 3)");
  EXPECT_EQ(linear["capsule"]["provider"], "reference");
  EXPECT_EQ(linear["rejected"][0]["code"], "OTHER_DTYPE");
  EXPECT_EQ(page["parts"][1]["mode"], "training");
}

TEST_F(Explain, OfAModelTakesItsSizesFromDataOrACheckpoint) {
  const std::string data = place_.write("d.csv", three_classes()), saved = place_ / "m.safetensors";
  const std::string page = text({"explain", "mlp", "--data", data, "--hidden", "8", "--extent", "batch=5"});
  EXPECT_NE(page.find("= linear(%4, %0, %1) : (5, 8)"), std::string::npos) << page;
  EXPECT_NE(page.find("cross_entropy_grad"), std::string::npos) << page;
  text({"train", "mlp", "--data", data, "--hidden", "8", "--steps", "0", "--save", saved});
  EXPECT_EQ(text({"explain", "mlp", "--load", saved, "--extent", "batch=5"}), page);
  const std::string forward = text({"explain", "mlp", "--load", saved, "--forward-only"});
  EXPECT_EQ(forward.find("cross_entropy"), std::string::npos) << forward;
}

TEST_F(Explain, ShowsGapsAndFails) {
  const std::string kernels = TENON_TEST_BUILD_DIR "/test-plugins/kernels_only/kernels_only.tenon.json";
  const Outcome outcome = place_.tenon({"explain", example, "--plugin", kernels, "--provider", "only:acme",
                                        "--assurance", "external", "--forward-only"});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_NE(outcome.out.find("no capsule for softmax"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("PROVIDER_EXCLUDED"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("2 operations: 0 served by 0 capsules; 2 without a capsule"), std::string::npos)
      << outcome.out;
  EXPECT_NE(outcome.err.find(
                "error: [session] 2 operations have no admissible capsule on cpu:0\n  at %4 of forward: linear("),
            std::string::npos)
      << outcome.err;
}

TEST_F(Explain, RefusesWhatItCannotExplain) {
  const auto expect_words = [&](const std::vector<std::string>& args, const std::string& words) {
    const std::string err = expect_misuse(place_, args);
    EXPECT_NE(err.find(words), std::string::npos) << err;
  };
  expect_words({"explain"}, "MODEL: missing");
  expect_words({"explain", "mlp"}, "--load, --data: found neither, expected one of them");
  expect_words({"explain", example, "--data", "d.csv"}, "expected them with a model only");
  expect_words({"explain", example, "--extent", "bath=3"}, "did you mean batch?");
  expect_words({"explain", example, "--extent", "batch"}, "--extent: found \"batch\"");
  expect_words({"explain", example, "--extent", "batch=1", "--extent", "batch=2"}, "twice");
}

}  // namespace
}  // namespace tenon::test
