// --trace: a file of Chrome's trace events, as Perfetto expects them.
#include <algorithm>
#include <nlohmann/json.hpp>
#include <regex>

#include "failures.h"

namespace tenon::test {
namespace {

using Json = nlohmann::json;

/// Nanoseconds, which the microseconds of the file hold exactly.
std::int64_t ns(const Json& microseconds) { return std::llround(microseconds.get<double>() * 1000); }

struct Span {
  std::int64_t begin, end;
  explicit Span(const Json& event) : begin(ns(event.at("ts"))), end(begin + ns(event.at("dur"))) {}
  bool holds(const Span& other) const { return begin <= other.begin && other.end <= end; }
  bool meets(const Span& other) const { return begin < other.end && other.begin < end; }
};

class Traces : public testing::Test {
 protected:
  void SetUp() override { place_.set("TENON_PLUGIN_PATH", std::string(TENON_TEST_BUILD_DIR) + "/test-plugins/late"); }

  Outcome train(const std::vector<std::string>& more) {
    std::vector<std::string> args{"train", "mlp", "--data", data_, "--hidden", "8", "--epochs", "2", "--trace", file_};
    args.insert(args.end(), more.begin(), more.end());
    return place_.tenon(args);
  }
  Json trace() const { return Json::parse(read_file(file_)); }

  static std::vector<Json> events(const Json& trace, const std::string& phase, const std::string& category = {}) {
    std::vector<Json> out;
    for (const Json& event : trace.at("traceEvents"))
      if (event.at("ph") == phase && (category.empty() || event.at("cat") == category)) out.push_back(event);
    return out;
  }
  static std::vector<Json> named(const std::vector<Json>& events, const std::string& name) {
    std::vector<Json> out;
    std::ranges::copy_if(events, std::back_inserter(out), [&](const Json& e) { return e.at("name") == name; });
    return out;
  }
  static void expect_nested(const std::vector<Json>& events) {
    for (const Json& a : events)
      for (const Json& b : events) {
        if (a == b || a.at("tid") != b.at("tid") || !Span(a).meets(Span(b))) continue;
        EXPECT_TRUE(Span(a).holds(Span(b)) || Span(b).holds(Span(a))) << a << "\n" << b;
      }
  }

  Workplace place_;
  std::string data_ = place_.write("d.csv", three_classes());
  std::string file_ = (place_ / "trace.json").string();
};

struct Where {
  const char *device, *name, *backend;
};

TEST_F(Traces, HoldEveryLaunchInItsPhaseOfItsStep) {
  for (const Where& where : {Where{"cpu", "cpu:0", "eager"}, Where{"cpu", "cpu:0", "compiled"},
                             Where{"late", "fakes/late:0", "eager"}, Where{"late", "fakes/late:0", "compiled"}}) {
    const Outcome outcome = train({"--device", where.device, "--backend", where.backend, "--show-backend"});
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    const Json all = trace();
    const auto launches = events(all, "X", "capsule"), parts = events(all, "X", "run");
    EXPECT_EQ(
        lines_that_begin_with(outcome.err, "calls: ").at(0).find("calls: " + std::to_string(launches.size()) + " of "),
        0u)
        << outcome.err;
    const auto steps = named(parts, "step");
    ASSERT_EQ(steps.size(), 4u);
    for (const char* phase : {"forward", "gradient", "update"}) {
      const auto inner = named(parts, phase);
      for (const Json& step : steps)
        EXPECT_EQ(std::ranges::count_if(inner, [&](const Json& e) { return Span(step).holds(Span(e)); }), 1) << phase;
    }
    for (const Json& launch : launches)
      EXPECT_EQ(std::ranges::count_if(
                    parts, [&](const Json& e) { return Span(e).meets(Span(launch)) && !Span(e).holds(Span(launch)); }),
                0)
          << launch;
    const auto updates = named(parts, "update");
    for (const Json& launch : launches) {
      const bool is_within = std::ranges::any_of(updates, [&](const Json& e) { return Span(e).holds(Span(launch)); });
      EXPECT_EQ(launch.at("args").at("op") == "adam", is_within) << launch;
    }
    expect_nested(events(all, "X"));
    EXPECT_EQ(all.at("otherData").at("device"), where.name);
    EXPECT_EQ(all.at("otherData").at("complete"), true);
    EXPECT_EQ(all.at("otherData").at("dropped_events"), 0);
  }
}

TEST_F(Traces, DescribeOperandsResultsAndCopies) {
  ASSERT_EQ(train({"--device", "cpu"}).status, 0);
  const Json all = trace();
  const auto linear = named(events(all, "X", "capsule"), "cpu.native.linear.f32");
  ASSERT_FALSE(linear.empty());
  const Json& arguments = linear[0].at("args");
  EXPECT_EQ(arguments.at("op"), "linear");
  EXPECT_EQ(arguments.at("operands"), (std::vector<std::string>{"x f32 (32, 3)", "weight f32 (8, 3)", "bias f32 (8)"}));
  EXPECT_EQ(arguments.at("results"), std::vector<std::string>{"f32 (32, 8)"});
  EXPECT_EQ(arguments.at("dtypes"), std::vector<std::string>{"f32"});
  EXPECT_EQ(arguments.at("bytes"), 4 * (32 * 3 + 8 * 3 + 8 + 32 * 8));
  EXPECT_EQ(arguments.at("flops"), 2 * 32 * 3 * 8);
  const auto copies = named(events(all, "X", "copy"), "copy to the device");
  ASSERT_FALSE(copies.empty());
  EXPECT_EQ(copies[0].at("args").at("bytes"), 32 * 3 * 4);
}

TEST_F(Traces, NameProcessAndTracksAndCountDeviceMemory) {
  ASSERT_EQ(train({"--device", "cpu"}).status, 0);
  const Json all = trace();
  std::vector<std::string> names;
  for (const Json& event : events(all, "M")) names.push_back(event.at("args").at("name"));
  EXPECT_EQ(names, (std::vector<std::string>{"tenon cpu:0", "host", "cpu:0 stream", "cpu:0 copies"}));
  const auto counters = events(all, "C");
  ASSERT_FALSE(counters.empty());
  EXPECT_GT(counters.back().at("args").at("bytes"), 0);
  for (const Json& event : all.at("traceEvents")) {
    EXPECT_EQ(event.at("pid"), all.at("traceEvents")[0].at("pid"));
    EXPECT_TRUE(event.at("tid").is_number_integer());
    EXPECT_EQ(event.contains("ts"), event.at("ph") != "M") << event;
  }
}

TEST_F(Traces, OfARunThatFailsHoldWhatWasSeenAndSaySo) {
  EXPECT_EQ(train({"--device", "cpu", "--optimizer", "sgd", "--rate", "1e30"}).status, 1);
  const Json all = trace();
  EXPECT_EQ(all.at("otherData").at("complete"), false);
  EXPECT_GT(events(all, "X", "capsule").size(), 0u);
  expect_nested(events(all, "X"));
}

// A microsecond passes with each of its events: two of them stand around each launch.
TEST_F(Traces, TakeTheTimesOfADeviceThatHasAClock) {
  place_.set("TENON_PLUGIN_PATH", std::string(TENON_TEST_BUILD_DIR) + "/test-plugins/stamped");
  const Outcome plain = place_.tenon({"train", "mlp", "--data", data_, "--hidden", "8", "--epochs", "2"});
  for (const char* backend : {"eager", "compiled"}) {
    const Outcome outcome = train({"--device", "stamped", "--backend", backend, "--profile", "--show-backend"});
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_EQ(outcome.out, plain.out);
    EXPECT_NE(outcome.err.find("\ntimes: the device's clock, by two events around each launch"), std::string::npos);
    const Json all = trace();
    const auto launches = events(all, "X", "capsule");
    EXPECT_NE(outcome.err.find("calls: " + std::to_string(launches.size()) + " of "), std::string::npos);
    for (std::size_t i = 0; i < launches.size(); ++i) {
      EXPECT_EQ(ns(launches[i].at("dur")), 1000);
      EXPECT_EQ(ns(launches[i].at("ts")) - ns(launches[0].at("ts")), 2000 * static_cast<std::int64_t>(i));
    }
  }
}

TEST_F(Traces, AreNotWrittenWhereNothingRan) {
  expect_failure(place_, {"train", "mlp", "--data", "/nonexistent", "--trace", file_});
  expect_failure(place_, {"train", "mlp", "--data", data_, "--trace", file_, "--device", "late", "--option",
                          "late.memory_bytes=100"});
}

TEST_F(Traces, AreRefusedWhereTheyCannotBeWritten) {
  const std::string err = expect_failure(place_, {"train", "mlp", "--data", data_, "--trace", "/nonexistent/t.json"});
  EXPECT_NE(err.find("[write] /nonexistent/t.json: "), std::string::npos) << err;
  const std::string other = expect_misuse(place_, {"train", "mlp", "--data", data_, "--trace", data_});
  EXPECT_NE(other.find("--trace: found " + data_ + ", which is the file of --data"), std::string::npos) << other;
}

}  // namespace
}  // namespace tenon::test
