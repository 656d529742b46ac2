#include "probe_report.h"

#include <gtest/gtest.h>

namespace tenon::host {
namespace {

ProbeReport sample() {
  ProbeReport report;
  report.id = "acme";
  report.vendor = "Acme \"& sons\"";
  report.abi_max = TENON_ABI;
  report.warning = Error{Reason::PRINTED_ON_PROBE, "printed", "hint"};
  DeviceFacts device;
  device.kind = "acme";
  device.memory_bytes = UINT64_MAX;
  device.native_float = {TENON_DTYPE_FLOAT, 32, 1};
  device.usable = TENON_REASON_DRIVER_MISSING;
  device.flags = TENON_DEVICE_SOFTWARE;
  report.devices.push_back(device);
  report.providers = {{"reference", 172}, {"native", 20}};
  report.made_at_s = 1'800'000'000;
  report.took_ms = 12;
  report.variants = {{"wide", "", true}, {"narrow", "the other is wider", false}};
  return report;
}

TEST(ProbeReport, SurvivesItsTextForm) {
  const auto back = report_from_json(to_json(sample(), "key"), "key");
  ASSERT_TRUE(back);
  EXPECT_EQ(to_json(*back, "key"), to_json(sample(), "key"));
  EXPECT_EQ(back->devices.at(0).memory_bytes, UINT64_MAX);
  EXPECT_EQ(back->warning->reason, Reason::PRINTED_ON_PROBE);
  EXPECT_FALSE(back->error);
  EXPECT_EQ(back->providers.at(1).name, "native");
  EXPECT_EQ(back->providers.at(1).capsules, 20u);
  EXPECT_EQ(back->made_at_s, 1'800'000'000);
  EXPECT_TRUE(back->variants.at(0).taken);
  EXPECT_EQ(back->variants.at(1).reason, "the other is wider");
}

TEST(ProbeReport, BelongsToOneKey) { EXPECT_FALSE(report_from_json(to_json(sample(), "key"), "other")); }

TEST(ProbeReport, IgnoresEveryDamagedText) {
  const std::string text = to_json(sample(), "key");
  for (std::size_t length = 0; length + 1 < text.size(); ++length)
    EXPECT_FALSE(report_from_json(std::string_view(text).substr(0, length), "key")) << length;
  EXPECT_FALSE(report_from_json("[1]", "key"));
  EXPECT_FALSE(report_from_json(R"({"key": "key", "id": 1})", "key"));
}

TEST(ProbeReport, RepairsTextThatIsNotUtf8) {
  ProbeReport report = sample();
  report.id = "ac\xffme";
  EXPECT_TRUE(report_from_json(to_json(report, "key"), "key"));
}

}  // namespace
}  // namespace tenon::host
