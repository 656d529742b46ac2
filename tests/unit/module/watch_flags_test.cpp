// --profile and --trace as flags, environment twins and options.
#include <gtest/gtest.h>

#include "environment.h"
#include "tenon/exec_config.h"

namespace tenon {
namespace {

using test::Args;

class WatchFlags : public testing::Test {
 protected:
  static ExecConfig parsed(const Args& args) {
    const auto stripped = ExecConfig::parse_and_strip(args);
    EXPECT_TRUE(stripped) << (stripped ? "" : stripped.error().text);
    return stripped ? stripped->first : ExecConfig();
  }
  static std::string refused(const Args& args) {
    const auto stripped = ExecConfig::parse_and_strip(args);
    return stripped ? "" : stripped.error().text;
  }
  test::Environment environment_;
};

TEST_F(WatchFlags, AreOffUnlessTheyAreGiven) {
  EXPECT_FALSE(parsed({}).profile);
  EXPECT_EQ(parsed({}).trace, "");
  EXPECT_EQ(parsed({"--profile"}).profile, ReportForm::text);
  EXPECT_EQ(parsed({"--profile=json"}).profile, ReportForm::json);
  EXPECT_EQ(parsed({"--trace", "a b.json"}).trace, "a b.json");
}

TEST_F(WatchFlags, HaveTwinsInTheEnvironment) {
  environment_.set("TENON_PROFILE", "1");
  environment_.set("TENON_TRACE", "t.json");
  EXPECT_EQ(parsed({}).profile, ReportForm::text);
  EXPECT_EQ(parsed({}).trace, "t.json");
  environment_.set("TENON_PROFILE", "0");
  EXPECT_FALSE(parsed({}).profile);
  environment_.set("TENON_PROFILE", "maybe");
  EXPECT_EQ(refused({}), "TENON_PROFILE: found \"maybe\", expected 1 or text, json, or 0");
}

TEST_F(WatchFlags, AreRefusedWithoutAFileOrWithAnotherForm) {
  EXPECT_EQ(refused({"--profile=1"}), "--profile: found \"1\", expected nothing, or =json");
  EXPECT_TRUE(refused({"--trace"}).starts_with("--trace: ")) << refused({"--trace"});
}

TEST_F(WatchFlags, PrintAsFlagsAndTellConfigurationsApart) {
  const ExecConfig config = parsed({"--profile=json", "--trace", "a b.json"});
  EXPECT_NE(to_string(config).find(" --profile=json --trace 'a b.json'"), std::string::npos) << to_string(config);
  EXPECT_NE(config, parsed({"--profile=json"}));
  EXPECT_NE(config, parsed({"--trace", "a b.json"}));
  EXPECT_EQ(config, parsed({"--trace=a b.json", "--profile=json"}));
}

}  // namespace
}  // namespace tenon
