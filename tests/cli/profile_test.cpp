// --profile: what its page holds; that it changes no result.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "failures.h"

namespace tenon::test {
namespace {

using Json = nlohmann::json;

class Profiles : public testing::Test {
 protected:
  void SetUp() override { place_.set("TENON_PLUGIN_PATH", std::string(TENON_TEST_BUILD_DIR) + "/test-plugins/late"); }

  Outcome train(const std::vector<std::string>& more) {
    std::vector<std::string> args{"train", "mlp", "--data", data_, "--hidden", "8", "--epochs", "2"};
    args.insert(args.end(), more.begin(), more.end());
    return place_.tenon(args);
  }

  /// The page's lines, from "profile: " on.
  static std::vector<std::string> page(const std::string& err) {
    const std::size_t begin = err.find("profile: ");
    return begin == std::string::npos ? std::vector<std::string>() : lines(err.substr(begin));
  }

  static std::vector<Json> objects(const std::string& err, const std::string& event) {
    std::vector<Json> out;
    for (const std::string& line : lines_that_begin_with(err, "{"))
      if (Json object = Json::parse(line); object.at("event") == event) out.push_back(std::move(object));
    return out;
  }

  Workplace place_;
  std::string data_ = place_.write("d.csv", three_classes());
};

TEST_F(Profiles, ChangeNoResultAndNoByteOfWhatIsSaved) {
  for (const char* device : {"cpu", "late"})
    for (const char* backend : {"eager", "compiled"}) {
      const std::string plain = (place_ / "plain").string(), watched = (place_ / "watched").string();
      const Outcome without = train({"--device", device, "--backend", backend, "--save", plain});
      const Outcome with = train({"--device", device, "--backend", backend, "--save", watched, "--profile", "--trace",
                                  (place_ / "trace.json").string()});
      ASSERT_EQ(with.status, 0) << with.err;
      EXPECT_EQ(with.out, without.out);
      EXPECT_NE(read_file(watched), "");
      EXPECT_EQ(read_file(watched), read_file(plain)) << device << " " << backend;
    }
}

TEST_F(Profiles, NameEveryCapsuleOnceTheMostExpensiveFirst) {
  const Outcome outcome = train({"--device", "cpu", "--profile=json", "--show-backend=json"});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const auto rows = objects(outcome.err, "profile_capsule");
  const auto announced = objects(outcome.err, "capsule");
  ASSERT_EQ(rows.size(), announced.size());
  std::uint64_t calls = 0, total_ns = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    calls += rows[i].at("calls").get<std::uint64_t>();
    total_ns += rows[i].at("total_ns").get<std::uint64_t>();
    EXPECT_LE(rows[i].at("total_ns"), rows[i == 0 ? 0 : i - 1].at("total_ns"));
    EXPECT_TRUE(
        std::ranges::any_of(announced, [&](const Json& a) { return a.at("capsule") == rows[i].at("capsule"); }));
  }
  EXPECT_EQ(calls, objects(outcome.err, "summary").at(0).at("calls").get<std::uint64_t>());
  EXPECT_EQ(total_ns, objects(outcome.err, "profile").at(0).at("kernels_ns").get<std::uint64_t>());
}

// 48 rows to train on, 12 to test, in batches of 32: 2 epochs of 2 steps, and each row twice more for the results.
TEST_F(Profiles, CountWhatIsKnownBeforehand) {
  const Outcome outcome = train({"--device", "cpu", "--backend", "eager", "--profile=json"});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  std::map<std::string, Json> rows, copies;
  for (const Json& row : objects(outcome.err, "profile_capsule")) rows[row.at("capsule")] = row;
  for (const Json& row : objects(outcome.err, "profile_copies")) copies[row.at("copies")] = row;
  EXPECT_EQ(rows.at("cpu.reference.cross_entropy_grad.f32").at("calls"), 4);
  EXPECT_EQ(rows.at("cpu.native.adam.f32").at("calls"), 16);  // of 4 parameters
  EXPECT_EQ(rows.at("cpu.reference.init_uniform.f32").at("flops"), nullptr);
  // One product of each step is by rows of 3 features and 8 hidden values, one by 8 and 3 classes.
  EXPECT_EQ(rows.at("cpu.native.linear.f32").at("flops"), 2 * (3 * 8 + 8 * 3) * (96 + 48 + 12));
  // Rows of 3 f32 and a label, but for the 12 that are only evaluated: those bring no label.
  EXPECT_EQ(copies.at("copies to the device").at("bytes"), (96 + 48) * 16 + 12 * 12);
  EXPECT_GT(objects(outcome.err, "profile").at(0).at("peak_bytes"), 0);
}

TEST_F(Profiles, ArePagesOfAlignedColumnsWithUnits) {
  const Outcome outcome = train({"--device", "cpu", "--profile"});
  const auto all = page(outcome.err);
  ASSERT_GT(all.size(), 5u) << outcome.err;
  EXPECT_TRUE(all[0].ends_with(" capsules on cpu:0")) << all[0];
  EXPECT_EQ(all[1], "times: the host's clock around each launch");
  EXPECT_TRUE(all[2].starts_with("capsule ")) << all[2];
  const std::size_t share = all[2].find("share") + 5;
  for (std::size_t i = 3; i + 1 < all.size(); ++i) EXPECT_EQ(all[i].substr(share - 2, 2), " %") << all[i];
  EXPECT_TRUE(all.back().starts_with("peak device memory: ")) << all.back();
  EXPECT_NE(all[all.size() - 2].find("100.0 %"), std::string::npos) << all[all.size() - 2];
}

TEST_F(Profiles, SayWhereTimesNeedAWaitAfterEachLaunch) {
  const auto all = page(train({"--device", "late", "--profile"}).err);
  ASSERT_FALSE(all.empty());
  EXPECT_TRUE(all[0].ends_with(" on fakes/late:0")) << all[0];
  EXPECT_EQ(all[1], "times: the host's clock, with a wait after each launch, so that nothing overlaps");
}

TEST_F(Profiles, OfARunThatFailsSayHowFarItCame) {
  const Outcome outcome = train({"--device", "cpu", "--optimizer", "sgd", "--rate", "1e30", "--profile"});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_NE(outcome.err.find(" on cpu:0, until the run failed\n"), std::string::npos) << outcome.err;
}

TEST_F(Profiles, OfAModelThatRunsSpeakOfItsEvaluation) {
  const std::string model = (place_ / "model").string(), out = (place_ / "out.csv").string();
  ASSERT_EQ(train({"--save", model}).status, 0);
  const Outcome outcome =
      place_.tenon({"run", "mlp", "--load", model, "--input", data_, "--output", out, "--device", "cpu", "--profile"});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(page(outcome.err).at(0).substr(0, 26), "profile: 4 launches of 3 c") << outcome.err;
}

TEST_F(Profiles, TakeNoOtherForm) {
  const std::string err = expect_misuse(place_, {"train", "mlp", "--data", data_, "--profile=xml"});
  EXPECT_NE(err.find("--profile: found \"xml\", expected nothing, or =json"), std::string::npos) << err;
}

}  // namespace
}  // namespace tenon::test
