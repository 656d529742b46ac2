// A plugin of every version of the ABI that a host may meet, run by the program: what it serves, and in which words it
// is refused. The plugins are one source, sdk/example/abacus, built against other headers (CMakeLists.txt).
#include "failures.h"

namespace tenon::test {
namespace {

/// relu(x·x + x)·x of x = (1 2; -3 1) is (-4 1; -15 5)... with the row below zero clipped.
const std::string square = "x1,x2\n1,2\n-3,1\n", result = "output1,output2\n-14,8\n12,-4\n";

class Version : public testing::Test {
 protected:
  Version() {
    place_.install();
    input_ = place_.write("x.csv", square);
  }

  static std::string plugin(const std::string& name, const std::string& id) {
    return TENON_TEST_BUILD_DIR "/test-plugins/" + name + "/" + id + ".tenon.json";
  }

  std::vector<std::string> run_on(const std::string& device, const std::string& plugin) const {
    return {"run",      TENON_TEST_SOURCE_DIR "/examples/programs/powers.tenon",
            "--input",  input_,
            "--device", device,
            "--plugin", plugin};
  }

  /// What holds of every plugin, good or bad: the listing succeeds, and the CPU is none the worse for it.
  void expect_no_harm(const std::string& file) const {
    const Outcome listing = place_.tenon({"devices", "--plugin", file});
    EXPECT_EQ(listing.status, 0) << listing.err;
    EXPECT_EQ(count(listing.out, "\ncpu"), 1u) << listing.out;
    const Outcome cpu =
        place_.tenon({"run", TENON_TEST_SOURCE_DIR "/examples/programs/powers.tenon", "--input", input_});
    EXPECT_EQ(cpu.status, 0) << cpu.err;
    EXPECT_EQ(cpu.out, result);
  }

  void expect_served(const std::string& name) const {
    const std::string file = plugin(name, name);
    const Outcome outcome = place_.tenon(run_on("abacus", file));
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_EQ(outcome.out, result);
    expect_no_harm(file);
  }

  void expect_refused(const std::string& name, const std::string& device, const std::vector<std::string>& words) const {
    const std::string file = plugin(name, name);
    const std::string error = expect_failure(place_, run_on(device, file));
    EXPECT_EQ(count(error, "tenon_" + name + ".so") + count(error, name + ".tenon.json"), 1u) << error;
    for (const std::string& word : words) EXPECT_EQ(count(error, word), 1u) << word << "\n" << error;
    const Outcome listing = place_.tenon({"devices", "--plugin", file});
    EXPECT_EQ(listing.status, 0) << listing.err;
  }

  Workplace place_;
  std::string input_;
};

TEST_F(Version, OfTheHostItselfIsServed) { expect_served("abacus"); }

TEST_F(Version, OfAnEarlierMinorWithAShorterTableIsServed) { expect_served("abacus_0_1"); }

TEST_F(Version, OfALaterMinorWithALongerTableIsServed) { expect_served("abacus_0_3"); }

TEST_F(Version, OfALaterMinorThatNeedsItsOwnHostIsRefused) {
  expect_refused("abacus_0_3_alone", "abacus",
                 {"it offers ABI 0.3, this Tenon 0.1.0 accepts ABI 0.1 to 0.2", "update Tenon; the plugin is newer"});
}

TEST_F(Version, OfALaterMajorIsRefused) {
  expect_refused("abacus_1_0", "abacus",
                 {"it offers ABI 1.0, this Tenon 0.1.0 accepts ABI 0.1 to 0.2", "update Tenon; the plugin is newer"});
}

TEST_F(Version, OfALaterMajorIsRefusedWhateverItsManifestSays) {
  expect_refused("newer_abi", "newer_abi",
                 {"it offers ABI 1.0, this Tenon 0.1.0 accepts ABI 0.1 to 0.2", "update Tenon; the plugin is newer"});
}

TEST_F(Version, WithoutATableIsRefused) {
  expect_refused("null_table", "null_table",
                 {"its entry point returned no table; it offers ABI 0.2, this Tenon 0.1.0 accepts ABI 0.1 to 0.2",
                  "update the plugin: rebuild it with this Tenon's SDK"});
}

TEST_F(Version, WithATableSmallerThanItsMandatoryPartIsRefused) {
  expect_refused("small_devices", "small_devices",
                 {"its tenon_devices is too small: found ", "accepts ABI 0.1 to 0.2",
                  "update the plugin: rebuild it with this Tenon's SDK"});
}

TEST_F(Version, IsListedByTheDevicesWithTheReason) {
  const Outcome listing = place_.tenon({"devices", "--plugin", plugin("abacus_1_0", "abacus_1_0")});
  EXPECT_EQ(listing.status, 0) << listing.err;
  const auto lines = lines_that_begin_with(listing.out, "abacus");
  ASSERT_EQ(lines.size(), 1u) << listing.out;
  EXPECT_EQ(count(lines[0], "plugin failed"), 1u) << lines[0];
  EXPECT_EQ(count(lines[0], "it offers ABI 1.0"), 1u) << lines[0];
}

}  // namespace
}  // namespace tenon::test
