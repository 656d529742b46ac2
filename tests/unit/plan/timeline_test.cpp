// What a timeline keeps when there is more than it may keep, and how its JSON is written.
#include "tenon/timeline.h"

#include <gtest/gtest.h>

#include "json_text.h"

namespace tenon {
namespace {

std::string text_of(const Timeline& timeline, const RunFacts& facts) {
  std::string text;
  EXPECT_TRUE(timeline.write(facts, [&](std::string_view part) -> result<void> {
    text += part;
    return {};
  }));
  return text;
}

std::size_t count(std::string_view text, std::string_view part) {
  std::size_t n = 0;
  for (std::size_t at = text.find(part); at != std::string_view::npos; at = text.find(part, at + 1)) ++n;
  return n;
}

TEST(Timeline, KeepsTheFirstEventsAndWhatEnclosesThem) {
  Timeline timeline(3);
  std::vector<WatchedKernel> kernels(1);
  kernels[0].capsule = "acme.add";
  timeline.launched(0, {10, 20});
  timeline.launched(0, {20, 30});
  timeline.launched(0, {30, 40});
  timeline.launched(0, {40, 50});
  timeline.passed("forward", {5, 60}, 1);
  timeline.passed("step", {1, 70}, 0);
  timeline.launched(0, {80, 90});
  timeline.passed("step", {75, 95}, 0);
  EXPECT_EQ(timeline.size(), 5u);
  EXPECT_EQ(timeline.dropped(), 3u);
  const std::string text = text_of(timeline, {.kernels = kernels});
  EXPECT_EQ(count(text, "\"acme.add\""), 3u);
  EXPECT_EQ(count(text, "\"name\":\"step\""), 1u);
  EXPECT_NE(text.find("\"dropped_events\":3"), std::string::npos) << text;
}

TEST(Timeline, PutsWhatEnclosesBeforeWhatItHoldsAndLosesNoNanosecond) {
  Timeline timeline;
  timeline.copied(CopyKind::in, 64, {1'000'001, 1'002'345});
  timeline.passed("forward", {1'000'001, 2'000'000}, 1);
  timeline.memory(128, 999);
  const std::string text = text_of(timeline, {});
  const std::size_t memory = text.find("\"ts\":0.999"), part = text.find("\"ts\":1000.001,\"dur\":999.999");
  const std::size_t copy = text.find("\"ts\":1000.001,\"dur\":2.344");
  ASSERT_NE(copy, std::string::npos) << text;
  EXPECT_LT(memory, part);
  EXPECT_LT(part, copy);
}

TEST(Timeline, HandsOnTheErrorOfWhoWrites) {
  const auto written = Timeline().write(
      {}, [](std::string_view) -> result<void> { return fail(Reason::FILE_WRITE_FAILED, "[write] full"); });
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().text, "[write] full");
}

TEST(JsonText, EscapesAndReplacesWhatIsNoUtf8) {
  EXPECT_EQ(json_string("a\"b\\c\n\x01"), R"("a\"b\\c\u000a\u0001")");
  EXPECT_EQ(json_string("µ→😀"), "\"µ→😀\"");
  EXPECT_EQ(json_string("a\xff\xc3"), R"("a\ufffd\ufffd")");
  EXPECT_EQ(json_strings(std::vector<std::string>{"a", "b"}), R"(["a","b"])");
  EXPECT_EQ(json_object({{"k", "1"}, {"l", "[]"}}), R"({"k":1,"l":[]})");
}

}  // namespace
}  // namespace tenon
