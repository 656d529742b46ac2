// K4, one plugin harms others: a folder of good and bad ones, where each bad one is told and none of the others
// notices.
#include <regex>

#include "scenario.h"

namespace tenon::test {
namespace {

class K4 : public Scenario {
 protected:
  K4() {
    for (const char* name : {"undefined_symbol", "refuses", "marks", "apart_1", "apart_2"}) add_plugin(name);
    place_.set("MARKS_FILE", marks_);
  }

  /// What a device of the test tells when its names lead to its own three values.
  static std::string line_of(const std::string& number) {
    return "fakes/apart_" + number + ":0 (helper " + number + ", inline " + number + ", template " + number +
           "): 2 2 0 0\n";
  }

  void expect_apart(const std::string& program) const {
    for (const auto& [first, second] : {std::pair("1", "2"), std::pair("2", "1")}) {
      const Outcome outcome =
          run_program(program, {model_, std::string("apart_") + first, std::string("apart_") + second, "cpu"});
      ASSERT_EQ(outcome.status, 0) << outcome.err;
      const std::string cpu = outcome.out.substr(outcome.out.find("cpu:0"));
      EXPECT_EQ(outcome.out, line_of(first) + line_of(second) + cpu);
    }
  }

  /// Runs the SDK's check of a plugin's exports; whether it is accepted, and the words.
  std::pair<bool, std::string> check_exports(const std::string& library) const {
    const Outcome outcome =
        place_.shell("'" TENON_TEST_CMAKE "' -DNM='" TENON_TEST_NM "' -DLIBRARY='" + (built_ / library).string() +
                     "' -P '" TENON_TEST_SOURCE_DIR "/sdk/cmake/check_exports.cmake'");
    return {outcome.status == 0, outcome.err};
  }

  const std::string marks_ = place_ / "marks";
};

TEST_F(K4, a_ARequestForTheCpuInitialisesNothingElse) {
  expect_success("cpu");
  EXPECT_FALSE(fs::exists(marks_)) << read_file(marks_);
}

TEST_F(K4, b_TheListingShowsTheGoodOnesUsableAndTheBadOnesWithReasons) {
  for (const char* device : {"cpu", "apart_1", "apart_2", "marks"}) EXPECT_EQ(listed(device)["state"], "usable");
  EXPECT_EQ(read_file(marks_).substr(0, 19), "loaded\ninitialised\n");  // it can be seen
  const nlohmann::json unloadable = listed("undefined_symbol"), refusing = listed("refuses");
  EXPECT_EQ(unloadable["state"], "plugin failed");
  EXPECT_EQ(unloadable["reason"]["code"], "UNDEFINED_SYMBOL");
  expect_words(unloadable["reason"]["text"], {"undefined symbol: function_that_nobody_defines"});
  EXPECT_EQ(refusing["state"], "plugin failed");
  EXPECT_EQ(refusing["reason"]["code"], "INITIALIZE_FAILED");
  expect_words(refusing["reason"]["text"], {"the licence has run out"});
}

TEST_F(K4, c_TwoInOneProcessSeeTheirOwnValuesInBothOrders) { expect_apart("run_sessions"); }

TEST_F(K4, d_AndSoWhereTheProgramExportsTheSameName) {
  const fs::path program = TENON_TEST_BUILD_DIR "/test-programs/run_sessions_exporting";
  EXPECT_NE(place_.shell("'" TENON_TEST_NM "' -D --defined-only '" + program.string() + "'").out.find("vendor_helper"),
            std::string::npos);
  expect_apart(program.filename());
}

TEST_F(K4, TheSdkAcceptsWhatItsRecipeBuilt) {
  for (const char* library : {"apart_1/tenon_apart_1.so", "vendor/tenon_vendor.so"}) {
    const auto [accepted, words] = check_exports(library);
    EXPECT_TRUE(accepted) << words;
  }
}

TEST_F(K4, TheSdkRejectsAPluginThatExportsMoreThanItsEntryPoint) {
  const auto [accepted, words] = check_exports("exports_more/tenon_exports_more.so");
  EXPECT_FALSE(accepted);
  // CMake breaks lines where it likes, which depends on where the file is.
  const std::string line = std::regex_replace(words, std::regex(R"(\s+)"), " ");
  expect_words(line, {"exports more than tenon_plugin_query", "vendor_helper"});
}

}  // namespace
}  // namespace tenon::test
