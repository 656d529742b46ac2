// TENON_VALIDATE=1 as its user meets it.
#include "failures.h"

namespace tenon::test {
namespace {

class Validated : public testing::Test {
 protected:
  void SetUp() override { place_.set("TENON_PLUGIN_PATH", build_ + "/test-plugins/late"); }

  Outcome train(const std::vector<std::string>& more) {
    std::vector<std::string> args{"train", "mlp", "--data", data_, "--hidden", "8", "--epochs", "2"};
    args.insert(args.end(), more.begin(), more.end());
    return place_.tenon(args);
  }

  const std::string build_ = TENON_TEST_BUILD_DIR;
  Workplace place_;
  std::string data_ = place_.write("d.csv", three_classes());
};

TEST_F(Validated, RunsWithoutAFaultAreAsTheyWere) {
  for (const char* device : {"cpu", "late"})
    for (const char* backend : {"eager", "compiled"}) {
      const std::vector<std::string> flags{"--device", device, "--backend", backend};
      place_.set("TENON_VALIDATE", "0");
      const Outcome plain = train(flags);
      place_.set("TENON_VALIDATE", "1");
      const Outcome validated = train(flags);
      EXPECT_EQ(validated.status, 0) << validated.err;
      EXPECT_EQ(validated.out, plain.out);
      EXPECT_EQ(validated.err, plain.err);
    }
}

TEST_F(Validated, RunsNameTheCapsuleThatWritesTooFar) {
  const std::vector<std::string> flags{"--device",    "cpu",
                                       "--plugin",    build_ + "/test-plugins/careless/careless.tenon.json",
                                       "--provider",  "prefer:careless",
                                       "--assurance", "external",
                                       "--save",      (place_ / "x").string()};
  EXPECT_EQ(train(flags).status, 0);  // it hits nothing that matters
  place_.set("TENON_VALIDATE", "1");
  fs::remove(place_ / "x");
  const Outcome outcome = train(flags);
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(outcome.out, "");
  EXPECT_FALSE(fs::exists(place_ / "x"));
  EXPECT_EQ(lines_that_begin_with(outcome.err, "error: ").size(), 1u) << outcome.err;
  for (const char* words : {"error: [relu] launch of plugin careless: careless.relu.f32: output 0: found ",
                            " of the 64 bytes behind its end changed, expected none; the plugin's fault, plugin.h: "})
    EXPECT_NE(outcome.err.find(words), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("VALIDATION_FAILED"), std::string::npos) << outcome.err;
}

}  // namespace
}  // namespace tenon::test
