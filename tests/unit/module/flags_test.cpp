#include "tenon/flags.h"

#include <gtest/gtest.h>

#include "environment.h"

namespace tenon {
namespace {

using test::Args;

const FlagSpec colour{.name = "--colour",
                      .metavar = "C",
                      .expected = "red or green",
                      .help = "what colour",
                      .standard = "red",
                      .environment = "TENON_TEST_COLOUR"};
const FlagSpec tag{.name = "--tag", .metavar = "T", .expected = "a word", .help = "a mark", .repeatable = true};
const FlagSpec quiet{.name = "--quiet", .metavar = {}, .expected = {}, .help = "say less"};
const FlagSpec trace{
    .name = "--trace", .metavar = "json", .expected = "nothing, or =json", .help = "say more", .value_optional = true};
const FlagTable table{&colour, &tag, &quiet, &trace};

ParsedFlags keep(const Args& args) { return parse_flags(args, table, UnknownFlags::keep); }
ParsedFlags refuse(const Args& args) { return parse_flags(args, table, UnknownFlags::refuse); }

std::string given(const ParsedFlags& parsed) {
  std::string out;
  for (const GivenFlag& flag : parsed.given) {
    out.append(out.empty() ? "" : " ").append(flag.source());
    if (flag.value) out.append("=").append(*flag.value);
  }
  return out;
}

class Flags : public testing::Test {
 protected:
  void SetUp() override { ::unsetenv("TENON_TEST_COLOUR"); }
  void TearDown() override { ::unsetenv("TENON_TEST_COLOUR"); }
};

TEST_F(Flags, TakeTheirValueAfterABlankOrAnEqualsSign) {
  EXPECT_EQ(given(keep({"--colour", "red"})), "--colour=red");
  EXPECT_EQ(given(keep({"--colour=red"})), "--colour=red");
  EXPECT_EQ(given(keep({"--colour=a=b"})), "--colour=a=b");
}

TEST_F(Flags, LeaveTheRestInItsOrder) {
  const ParsedFlags parsed = keep({"one", "--colour", "red", "--other", "two", "-x", "--", "--colour", "three"});
  EXPECT_EQ(given(parsed), "--colour=red");
  EXPECT_EQ(parsed.rest, (Args{"one", "--other", "two", "-x", "--", "--colour", "three"}));
}

TEST_F(Flags, EndAtTwoDashesWhichARefusingParserSwallows) {
  const ParsedFlags parsed = refuse({"one", "--", "--colour", "--unknown"});
  EXPECT_EQ(parsed.rest, (Args{"one", "--colour", "--unknown"}));
  EXPECT_FALSE(parsed.error);
}

TEST_F(Flags, TakeAnOptionalValueOnlyAfterAnEqualsSign) {
  const ParsedFlags parsed = keep({"--trace", "json", "--quiet"});
  EXPECT_EQ(given(parsed), "--trace --quiet");
  EXPECT_EQ(parsed.rest, (Args{"json"}));
  EXPECT_EQ(given(keep({"--trace=json"})), "--trace=json");
}

TEST_F(Flags, MayRepeatWhereTheirRowSaysSo) { EXPECT_EQ(given(keep({"--tag", "a", "--tag=b"})), "--tag=a --tag=b"); }

TEST_F(Flags, OfTheEnvironmentCountOnlyWhereTheFlagIsNotGiven) {
  ::setenv("TENON_TEST_COLOUR", "green", 1);
  EXPECT_EQ(given(keep({"--quiet"})), "--quiet TENON_TEST_COLOUR=green");
  EXPECT_EQ(given(keep({"--colour", "red"})), "--colour=red");
  ::setenv("TENON_TEST_COLOUR", "", 1);
  EXPECT_EQ(given(keep({"--quiet"})), "--quiet");
}

TEST_F(Flags, AreKeptUpToTheFirstErrorOfForm) {
  const ParsedFlags parsed = keep({"--quiet", "--colour", "--tag", "--trace="});
  EXPECT_EQ(given(parsed), "--quiet");
  ASSERT_TRUE(parsed.error);
  EXPECT_EQ(parsed.error->text, "--colour: missing value, expected red or green");
}

struct Refusal {
  Args args;
  std::string text, hint;
};

class RefusedFlags : public testing::TestWithParam<Refusal> {};

TEST_P(RefusedFlags, NameTheFlagAndWhatIsExpected) {
  const ParsedFlags parsed = refuse(GetParam().args);
  ASSERT_TRUE(parsed.error);
  EXPECT_EQ(parsed.error->reason, Reason::USAGE);
  EXPECT_EQ(parsed.error->text, GetParam().text);
  EXPECT_EQ(parsed.error->hint, GetParam().hint);
}

INSTANTIATE_TEST_SUITE_P(
    All, RefusedFlags,
    testing::Values(
        Refusal{{"--colour"}, "--colour: missing value, expected red or green", ""},
        Refusal{{"--colour", "--quiet"}, "--colour: missing value, expected red or green", ""},
        Refusal{{"--colour", "--"}, "--colour: missing value, expected red or green", ""},
        Refusal{{"--colour", ""}, "--colour: found an empty value, expected red or green", ""},
        Refusal{{"--colour="}, "--colour: found an empty value, expected red or green", ""},
        Refusal{{"--trace="}, "--trace: found an empty value, expected nothing, or =json", ""},
        Refusal{{"--colour", "red", "--colour=red"}, "--colour: given twice, expected once", "remove one of the two"},
        Refusal{{"--trace", "--trace=json"}, "--trace: given twice, expected once", "remove one of the two"},
        Refusal{{"--quiet=yes"}, "--quiet: found the value \"yes\", expected none", "write --quiet alone"},
        Refusal{{"--clour", "red"}, "unknown flag: found --clour", "did you mean --colour?"},
        Refusal{{"--col", "red"}, "unknown flag: found --col", "did you mean --colour?"},
        Refusal{{"--Quiet"}, "unknown flag: found --Quiet", "did you mean --quiet?"},
        Refusal{{"-q"}, "unknown flag: found -q", ""}, Refusal{{"--zebra=1"}, "unknown flag: found --zebra", ""}));

TEST_F(Flags, HelpNamesValuesStandardsAndTwins) {
  EXPECT_EQ(help_text(table),
            "  --colour C      what colour: red or green (default: red) [TENON_TEST_COLOUR]\n"
            "  --tag T         a mark: a word; repeatable\n"
            "  --quiet         say less\n"
            "  --trace[=json]  say more: nothing, or =json\n");
}

TEST_F(Flags, WholeNumbersAreDecimalAndWithinBounds) {
  const auto read = [](const char* text) { return whole_number({&colour, text}, 1, 10); };
  EXPECT_EQ(read("7").value(), 7u);
  for (const char* text : {"0", "11", "-1", "+1", "1e1", "1.0", " 1", "7x", "99999999999999999999"}) {
    ASSERT_FALSE(read(text)) << text;
    EXPECT_EQ(read(text).error().text, "--colour: found \"" + std::string(text) + "\", expected red or green");
  }
}

}  // namespace
}  // namespace tenon
