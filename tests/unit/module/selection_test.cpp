// What can be told of a device that is not there.
#include "tenon/selection.h"

#include <gtest/gtest.h>

#include <sstream>

namespace tenon::test {
namespace {

Selection select(Options options) {
  std::ostringstream diagnostics;
  auto selection = select_for(options, diagnostics);
  EXPECT_TRUE(selection) << selection.error().text;
  return *std::move(selection);
}

TEST(Selection, OpensTheDeviceThatIsThere) {
  const Selection selection = select({.device = "cpu"});
  EXPECT_EQ(selection.device, "cpu:0");
  EXPECT_FALSE(selection.unopened);
  ASSERT_TRUE(selection.registry);
  EXPECT_NE(selection.registry->device(), nullptr);
  EXPECT_EQ(selection.registry->target().memory_domain, "host");
}

TEST(Selection, OfAnOrdinalTooFarAnswersForItsDomain) {
  const Selection selection = select({.device = "cpu:7", .dtype = ScalarType{ScalarType::Kind::native}});
  EXPECT_EQ(selection.device, "cpu:7");
  EXPECT_EQ(selection.real, DType::f64);
  ASSERT_TRUE(selection.unopened && selection.registry);
  EXPECT_EQ(selection.unopened->reason, Reason::NO_DEVICE);
  EXPECT_EQ(selection.registry->device(), nullptr);
  EXPECT_EQ(selection.registry->target().memory_domain, "host");
  EXPECT_TRUE(selection.asked);
}

TEST(Selection, WithoutPluginIsNothingToChooseFrom) {
  const Selection selection = select({.device = "tpu:1"});
  EXPECT_EQ(selection.device, "tpu:1");
  EXPECT_FALSE(selection.registry);
  ASSERT_TRUE(selection.unopened);
  EXPECT_EQ(selection.unopened->reason, Reason::NO_PLUGIN);
}

TEST(Selection, RefusesWhatTheRequestGetsWrong) {
  std::ostringstream diagnostics;
  const auto reason = [&](const Options& options) {
    const auto selection = select_for(options, diagnostics);
    return selection ? Reason::INVALID_ARGUMENT : selection.error().reason;
  };
  EXPECT_EQ(reason({.device = "cudaa"}), Reason::USAGE);
  EXPECT_EQ(reason({.device = "cpu", .options = {{"acme", "cache", "1"}}}), Reason::OPTION_UNKNOWN);
  EXPECT_EQ(reason({.device = "cpu", .provider = {ProviderPolicy::Rule::only, "nobody"}}), Reason::NO_CAPSULE);
  EXPECT_EQ(reason({.device = "tpu", .dtype = ScalarType{ScalarType::Kind::real}}), Reason::NOT_EXECUTABLE);
}

TEST(Selection, SaysWhatItSettled) {
  std::ostringstream diagnostics;
  ASSERT_TRUE(select_for({.dtype = ScalarType{ScalarType::Kind::native}}, diagnostics));
  EXPECT_NE(diagnostics.str().find("auto: cpu:0 taken; "), std::string::npos) << diagnostics.str();
  EXPECT_NE(diagnostics.str().find("dtype: float is f64 on cpu:0\n"), std::string::npos) << diagnostics.str();
}

}  // namespace
}  // namespace tenon::test
