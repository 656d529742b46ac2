// A plugin that brings kernels and no device: it serves another plugin's device where the user names its file.
#include "failures.h"

namespace tenon::test {
namespace {

const std::string folder = TENON_TEST_BUILD_DIR "/test-plugins/kernels_only",
                  own_gradients = TENON_TEST_BUILD_DIR "/test-plugins/own_gradients";

class KernelsOnly : public testing::Test {
 protected:
  std::vector<std::string> train(const std::vector<std::string>& more) {
    std::vector<std::string> args{"train", "mlp", "--data", data_, "--hidden", "8", "--epochs", "2", "--show-backend"};
    args.insert(args.end(), {"--device", "cpu"});
    args.insert(args.end(), more.begin(), more.end());
    return args;
  }
  std::string relu_line(const std::vector<std::string>& more) {
    const Outcome outcome = place_.tenon(train(more));
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    return lines_that_begin_with(outcome.err, "capsule: relu ").at(0);
  }

  Workplace place_;
  std::string data_ = place_.write("d.csv", three_classes());
};

TEST_F(KernelsOnly, ServeWhereTheyArePreferredAndTrusted) {
  for (const char* file : {"/kernels_only.tenon.json", "/tenon_kernels_only.so"}) {
    const std::vector<std::string> flags{"--plugin",    folder + file, "--provider",
                                         "prefer:acme", "--assurance", "external"};
    const std::string line = relu_line(flags);
    EXPECT_NE(line.find(" acme.relu.f32 on cpu:0 |"), std::string::npos) << line;
    EXPECT_NE(line.find("plugin kernels_only 0.1.0 (tenon_kernels_only.so)"), std::string::npos) << line;
    EXPECT_NE(line.find("trusted-external"), std::string::npos) << line;
    EXPECT_EQ(place_.tenon(train(flags)).out, place_.tenon(train({})).out);
  }
}

TEST_F(KernelsOnly, MayBeGradients) {
  const std::vector<std::string> flags{"--plugin", own_gradients + "/own_gradients.tenon.json", "--assurance",
                                       "external"};
  const Outcome outcome = place_.tenon(train(flags));
  EXPECT_EQ(outcome.out, place_.tenon(train({})).out) << outcome.err;
  const auto lines = lines_that_begin_with(outcome.err, "capsule: linear.vjp ");
  ASSERT_EQ(lines.size(), 1u) << outcome.err;
  EXPECT_NE(lines[0].find(" acme.linear.vjp.f32 on cpu:0 |"), std::string::npos) << lines[0];
  EXPECT_NE(lines[0].find("own gradient of linear, only admissible"), std::string::npos) << lines[0];
  std::vector<std::string> explain{"explain", "mlp", "--data", data_, "--hidden", "8", "--device", "cpu"};
  EXPECT_EQ(place_.tenon(explain).out.find("linear.vjp"), std::string::npos);
  explain.insert(explain.end(), flags.begin(), flags.end());
  const Outcome explained = place_.tenon(explain);
  EXPECT_NE(explained.out.find("acme.linear.vjp.f32"), std::string::npos) << explained.out << explained.err;
}

TEST_F(KernelsOnly, AreNotTrustedBecauseTheyAreNamed) {
  const std::string file = folder + "/kernels_only.tenon.json";
  const std::string line = relu_line({"--plugin", file, "--provider", "prefer:acme"});
  EXPECT_NE(line.find(" cpu.native.relu.f32 on cpu:0 |"), std::string::npos) << line;
  const std::string err = expect_failure(place_, train({"--plugin", file, "--provider", "only:acme"}));
  EXPECT_NE(err.find("acme.relu.f32: its trust is below what --assurance asks"), std::string::npos) << err;
}

TEST_F(KernelsOnly, ComeAfterTheDevicesOwn) {
  const std::string line = relu_line({"--plugin", folder + "/kernels_only.tenon.json", "--assurance", "external"});
  EXPECT_NE(line.find(" cpu.native.relu.f32 on cpu:0 |"), std::string::npos) << line;
  EXPECT_NE(line.find("first of 3 admissible"), std::string::npos) << line;
}

TEST_F(KernelsOnly, AreLeftAloneWhereTheyAreOnlyInstalled) {
  place_.set("TENON_PLUGIN_PATH", folder);
  const std::string err = expect_failure(place_, train({"--provider", "prefer:acme", "--assurance", "external"}));
  EXPECT_NE(err.find("found no capsule of the provider acme, expected one of "), std::string::npos) << err;
}

TEST_F(KernelsOnly, AreToldTheirOptions) {
  const std::string err = expect_failure(
      place_, train({"--plugin", folder + "/kernels_only.tenon.json", "--option", "kernels_only.cache=1"}));
  EXPECT_NE(err.find("cache"), std::string::npos) << err;
  EXPECT_EQ(err.find("whose device the session uses"), std::string::npos) << err;
}

}  // namespace
}  // namespace tenon::test
