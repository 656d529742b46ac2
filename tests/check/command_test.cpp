// `tenon check` as its users meet it.
#include <nlohmann/json.hpp>

#include "certificates.h"
#include "check.h"
#include "cli/run_tenon.h"
#include "tenon/flags.h"

namespace tenon::check::test {
namespace {

using tenon::test::Outcome;
using tenon::test::Workplace;

class CheckCommand : public testing::Test {
 protected:
  Outcome check(std::vector<std::string> args) {
    args.insert(args.begin(), "check");
    return place_.tenon(std::move(args));
  }
  Workplace place_;
};

std::string last_line(const std::string& text) { return tenon::test::lines(text).back(); }

TEST_F(CheckCommand, EndsWithZeroWhereAllHolds) {
  const Outcome outcome = check({flawed_file("flawless"), "--only", "life/"});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.err, "");
  EXPECT_EQ(last_line(outcome.out), "passed, of those asked for: 13 checks");
}

TEST_F(CheckCommand, ShowsWhatWasFoundAndHowToLookFurther) {
  const std::string file = flawed_file("trim");
  const Outcome outcome = check({file, "--only", "memory/"});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(outcome.out, "file    " + file + "\nplugin  flawed/trim 1.0, ABI " + abi_text() +
                             "\ndevice  trim:0, a small device\n\n"
                             "group   passed  failed  skipped  excluded\nmemory  12      1       0        0\n\n"
                             "failed\n  memory/trim\n    found     memory_trim returned TENON_UNIMPLEMENTED\n"
                             "    expected  TENON_OK\n    again     tenon check " +
                             shell_word(file) + " --only memory/trim\n\nnot certified: 1 of 13 checks failed\n");
  EXPECT_NE(outcome.err.find("NOT_CERTIFIED"), std::string::npos);
}

const std::string kernels_only = TENON_TEST_BUILD_DIR "/test-plugins/kernels_only/kernels_only.tenon.json";

TEST_F(CheckCommand, CertifiesNothingWhereNothingPassed) {
  const std::string list = place_.write("known.json", R"([{"check": "memory/trim", "reason": "the driver cannot"}])");
  const Outcome skipped = check({kernels_only, "--only", "streams/"});
  const Outcome excluded = check({flawed_file("trim"), "--only", "memory/trim", "--exclusions", list});
  for (const Outcome& outcome : {skipped, excluded}) {
    EXPECT_EQ(outcome.status, 1);
    EXPECT_EQ(last_line(outcome.out), "not certified: nothing passed: all that was asked is excluded or skipped");
  }
}

TEST_F(CheckCommand, AsksTheSameWhereTheHostIsToldToCheckCalls) {
  const Outcome plain = check({kernels_only, "--only", "capsules/"});
  place_.set("TENON_VALIDATE", "1");
  const Outcome validated = check({kernels_only, "--only", "capsules/"});
  EXPECT_EQ(validated.out, plain.out);
  EXPECT_EQ(plain.status, 0) << plain.out;
}

TEST_F(CheckCommand, ShowsStaleExclusions) {
  const std::string list = place_.write("known.json", R"([{"check": "memory/trim", "reason": "the driver cannot"}])");
  const Outcome outcome = check({flawed_file("flawless"), "--exclusions", list});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_NE(outcome.out.find("\n  memory/trim no longer fails"), std::string::npos) << outcome.out;
  EXPECT_EQ(last_line(outcome.out), "not certified: 1 stale exclusion");
}

TEST_F(CheckCommand, WritesJsonForMachines) {
  const Outcome outcome = check({flawed_file("trim"), "--only", "memory/", "--json"});
  const auto json = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(json["certified"], false);
  EXPECT_EQ(json["counts"]["passed"], 12);
  EXPECT_EQ(json["checks"].size(), 13u);
  EXPECT_EQ(json["checks"][11]["check"], "memory/trim");
  EXPECT_EQ(json["checks"][11]["found"], "memory_trim returned TENON_UNIMPLEMENTED");
  EXPECT_EQ(json["checks"][11]["only"], "memory/trim");
}

TEST_F(CheckCommand, ListsTheChecksAsTheirPageDoes) {
  const Outcome outcome = check({"--list"});
  EXPECT_EQ(outcome.status, 0);
  const std::string page = tenon::test::read_file(TENON_TEST_SOURCE_DIR "/docs/certificate.md");
  for (const CheckInfo& info : all_checks()) {
    const std::string name = info.full_name();
    EXPECT_NE(outcome.out.find("\n" + name + " "), std::string::npos) << name;
    const std::string row =
        "| `" + name + "` | " + (info.of_capsules ? "capsules" : "plugin") + " | " + std::string(info.rule) + " |\n";
    EXPECT_NE(page.find(row), std::string::npos) << "docs/certificate.md has no line " << row;
  }
  EXPECT_EQ(tenon::test::count(page, "\n| `"), all_checks().size());
}

TEST_F(CheckCommand, ListsWhatMayFitAPattern) {
  const auto listed = [&](const char* only) { return tenon::test::lines(check({"--list", "--only", only}).out); };
  EXPECT_EQ(listed("memory/").size(), 14u);  // with the head
  ASSERT_EQ(listed("capsules/values:acme").size(), 2u);
  EXPECT_TRUE(listed("capsules/values:acme")[1].starts_with("capsules/values "));
  const Outcome nothing = check({"--list", "--only", "memroy"});
  EXPECT_EQ(nothing.status, 2);
  EXPECT_EQ(nothing.out, "");
  EXPECT_NE(nothing.err.find("found \"memroy\", expected a part of a check's name"), std::string::npos) << nothing.err;
}

TEST_F(CheckCommand, RefusesWhatItDoesNotUnderstand) {
  for (const std::vector<std::string>& words : {std::vector<std::string>{}, {"a.so", "b.so"}}) {
    const Outcome outcome = check(words);
    EXPECT_EQ(outcome.status, 2);
    EXPECT_NE(outcome.err.find("write `tenon check FILE`"), std::string::npos) << outcome.err;
  }
  EXPECT_EQ(check({"--list", "a.so"}).status, 2);
  EXPECT_EQ(check({"--list", "--json"}).status, 2);
  EXPECT_EQ(check({"--list", "--timeout", "60"}).status, 2);
  EXPECT_NE(check({"--list", "--exclusions", "known.json"}).err.find("--list: found it with --exclusions"),
            std::string::npos);
  EXPECT_EQ(check({flawed_file("flawless"), "--only", "memroy"}).status, 2);
  EXPECT_EQ(check({flawed_file("flawless"), "--timeout", "0"}).status, 2);
  EXPECT_EQ(check({"none.so"}).status, 1);
}

TEST_F(CheckCommand, PrintsNothingOfThePlugins) {
  const Outcome outcome = check({flawed_file("stdout"), "--only", ":flawed.neg"});
  EXPECT_EQ(outcome.out.find("hello\n"), std::string::npos);
}

}  // namespace
}  // namespace tenon::check::test
