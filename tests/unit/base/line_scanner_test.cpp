#include "tenon/line_scanner.h"

#include <gtest/gtest.h>

#include "tenon/extents.h"

namespace tenon {
namespace {

TEST(LineScanner, SeparatesWordsMarksAndComments) {
  LineScanner line("  %fc1.w = -1e-05,x # the rest");
  EXPECT_TRUE(line.accept('%'));
  EXPECT_FALSE(line.accept_word("fc1"));
  EXPECT_TRUE(line.accept_word("fc1.w"));
  EXPECT_TRUE(line.expect('=', "sign"));
  EXPECT_EQ(line.word(), "-1e-05");
  EXPECT_TRUE(line.accept(','));
  EXPECT_FALSE(line.at_end());
  EXPECT_EQ(line.found(), "\"x\"");
  EXPECT_EQ(line.word(), "x");
  EXPECT_TRUE(line.at_end());
  EXPECT_EQ(line.found(), "the end of the line");
}

TEST(LineScanner, ReadsBackEveryNameThatIsPrinted) {
  for (const std::string name : {"fc1.weight", "", "a b", "\"", "\\", "line\nend", "#", "%", "é"}) {
    const std::string text = name_text(name);
    LineScanner line(text);
    EXPECT_EQ(line.name("name").value(), name);
    EXPECT_TRUE(line.at_end());
    EXPECT_EQ(text.find('\n'), std::string::npos);
  }
  LineScanner open("\"abc\\\"");
  EXPECT_EQ(open.name("name").error().text, "quoted name: found the end of the line, expected a closing \"");
}

TEST(LineScanner, RefusesControlCharactersInNames) {
  for (const auto& [character, code] : {std::pair("\x1b", "U+001B"),
                                        {"\x01", "U+0001"},
                                        {"\t", "U+0009"},
                                        {"\r", "U+000D"},
                                        {"\x7f", "U+007F"},
                                        {"\xC2\x9b", "U+009B"},
                                        {"\\\x1b", "U+001B"}}) {
    const std::string text = "  \"é" + std::string(character) + "[31m\"";
    LineScanner line(text);
    const std::size_t column = std::string_view(character).front() == '\\' ? 6 : 5;
    EXPECT_EQ(line.name("name").error().text, "quoted name: found the control character " + std::string(code) +
                                                  " in column " + std::to_string(column) + ", expected none");
  }
  EXPECT_EQ(LineScanner("\"\xC2\xA0\xC3\x9b\"").name("name").value(), "\xC2\xA0\xC3\x9b");
}

TEST(LineScanner, ReadsShapesOfAtMostEightExtents) {
  EXPECT_EQ(LineScanner("(32, batch,dyn)").shape("type").value(), (Shape{32, batch, dyn}));
  EXPECT_EQ(LineScanner("( )").shape("type").value(), Shape{});
  EXPECT_EQ(LineScanner("(0, -1)").numbers("axes").value(), (Shape{0, -1}));
  for (const char* text : {"", "(", "(1", "(1,", "(1,)", "(,1)", "(-1)", "(1.5)", "(Batch)", "(1 2)", "(thirteenchars)",
                           "(9223372036854775808)", "(1,1,1,1,1,1,1,1,1)"})
    EXPECT_FALSE(LineScanner(text).shape("type")) << text;
}

TEST(Extents, HaveTheirNamesAtRunTimeToo) {
  EXPECT_EQ(named_extent("batch"), batch);
  EXPECT_EQ(named_extent("zzzzzzzzzzzz"), extent("zzzzzzzzzzzz"));
  EXPECT_EQ(parse_extent("dyn"), dyn);
  EXPECT_EQ(parse_extent("7"), 7);
  EXPECT_FALSE(named_extent("dyn"));
  EXPECT_FALSE(parse_extent("a1"));
}

TEST(Extents, MatchOnlyOneNumberForEachName) {
  std::vector<BoundExtent> bound;
  EXPECT_TRUE(match_extents({batch, dyn, 3}, {5, 6, 3}, bound));
  EXPECT_TRUE(match_extents(Shape(batch), Shape(5), bound));
  EXPECT_FALSE(match_extents(Shape(batch), Shape(6), bound));
  EXPECT_FALSE(match_extents({batch, 3}, Shape(5), bound));
  EXPECT_EQ(bind_extents({batch, dyn, extent("n")}, bound), (Shape{5, dyn, extent("n")}));
}

TEST(Lines, AreCountedWithTheOnesPassedOver) {
  const auto lines = lines_of(
      "\xEF\xBB\xBF"
      "a\r\n\n # b\nc");
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[0].text, "a");
  EXPECT_EQ(lines[1].number, 4u);
  const Error error = at_line({Reason::FILE_MALFORMED, "what", {}}, "[graph]",
                              {3,
                               "  a\tb\x1b"
                               "c"});
  EXPECT_EQ(error.text, "[graph] line 3: what\n    a?b?c");
}

}  // namespace
}  // namespace tenon
