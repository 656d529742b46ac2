// K1, silent fall-back: with the CPU's plugin alone, nothing but the CPU computes, and only where that was asked for.
#include "scenario.h"

namespace tenon::test {
namespace {

class K1 : public Scenario {
 protected:
  std::string refuse_cuda() const { return expect_failure(place_, run_model("cuda", {"--show-backend"})); }

  std::string auto_line() const {
    const auto found = lines_that_begin_with(expect_success("auto").err, "auto:");
    EXPECT_EQ(found.size(), 1u);
    return found.empty() ? std::string() : found[0];
  }
};

TEST_F(K1, a_OfADeviceWithoutPluginIsRefusedBeforeAnyCapsule) {
  const std::string err = refuse_cuda();
  expect_no_words(err, {"capsule: ", "session: "});
  EXPECT_FALSE(fs::exists(output_));
  expect_words(err, {"cuda: no plugin for it is installed", "searched: " + vendors_.string(), "usable devices: cpu\n",
                     fs::canonical(own_plugins_).string() + ": cpu", "reason: NO_PLUGIN"});
}

TEST_F(K1, b_IsRefusedAlikeWhateverTheEnvironmentSays) {
  const std::string plain = refuse_cuda();
  place_.set("CUDA_PATH", "/nonexistent");
  place_.set("TENON_LOG", "off");
  EXPECT_EQ(refuse_cuda(), plain);
}

TEST_F(K1, c_AutoSaysInOneLineWhatItTookAndWhatItPassedOver) {
  EXPECT_EQ(auto_line(), "auto: cpu:0 taken; no other device is installed");
  add_plugin("vendor");
  add_plugin("absent");
  const std::string passed = "auto: cpu:0 taken; passed over: ",
                    vendor = "software device, use --device vendor to force";
  EXPECT_EQ(auto_line(), passed + "absent (not probed), vendor (" + vendor + ")");
  ASSERT_EQ(place_.tenon({"devices"}).status, 0);  // probes
  EXPECT_EQ(auto_line(), passed + "absent (no hardware), vendor (" + vendor + ")");
}

TEST_F(K1, d_IsAnErrorValueOfTheInterface) {
  const Outcome outcome = run_program("run_sessions", {model_, "cuda"});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(lines_that_begin_with(outcome.err, "error: ").size(), 1u);
  expect_words(outcome.err, {"[device] cuda: no plugin for it is installed", "usable devices: cpu\n", "NO_PLUGIN"});
}

TEST_F(K1, d_TheDeviceOfASessionIsTheOneThatTheReportNames) {
  for (const char* word : {"cpu", "auto"}) {
    const Outcome outcome = run_program("run_sessions", {model_, word});
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_EQ(outcome.out.substr(0, outcome.out.find(" (")), "cpu:0");
    EXPECT_EQ(outcome.out.substr(outcome.out.find("): ")), "): 2 2 0 0\n");
    const auto capsules = lines_that_begin_with(outcome.err, "capsule: ");
    EXPECT_EQ(capsules.size(), 4u) << outcome.err;  // fill, matmul, add, relu
    for (const std::string& line : capsules) expect_words(line, {" on cpu:0 |"});
    EXPECT_EQ(lines_that_begin_with(outcome.err, "session: cpu:0 (").size(), 1u) << outcome.err;
  }
}

}  // namespace
}  // namespace tenon::test
