#include "tenon/text.h"

#include <gtest/gtest.h>

#include "tenon/message.h"

namespace tenon {
namespace {

const std::vector<std::string> words{"train", "run", "devices", "mlp", "cuda", "cpu", "--device", "adam", "adamw"};

TEST(Listed, SaysHowManyAreLeftOut) {
  const std::vector<std::string> three{"a", "b", "c"};
  EXPECT_EQ(listed(three, 3), "a, b, c");
  EXPECT_EQ(listed(three, 2), "a, b and 1 more");
  EXPECT_EQ(listed(three, 1, "\n  "), "a\n  and 2 more");
  EXPECT_EQ(listed({}, 2), "");
}

TEST(Nearest, FindsWhatOneSlipAwayWasMeant) {
  EXPECT_EQ(nearest("cudaa", words), "cuda");
  EXPECT_EQ(nearest("cda", words), "cuda");
  EXPECT_EQ(nearest("--devcie", words), "--device");
  EXPECT_EQ(nearest("trian", words), "train");
  EXPECT_EQ(nearest("mpl", words), "mlp");
  EXPECT_EQ(nearest("CPU", words), "cpu");
  EXPECT_EQ(nearest("ADAM", words), "adam");
}

TEST(Nearest, FindsNothingForAWordThatIsFarFromAll) {
  EXPECT_EQ(nearest("xyzzy", words), std::nullopt);
  EXPECT_EQ(nearest("", words), std::nullopt);
  EXPECT_EQ(nearest("cuda", {}), std::nullopt);
  EXPECT_EQ(nearest(std::string(100000, 'd'), words), std::nullopt);
}

TEST(ParseUnsigned, TakesWholeDecimalNumbersOnly) {
  EXPECT_EQ(parse_unsigned("18446744073709551615"), 18446744073709551615u);
  for (const char* refused : {"", "-1", "+1", "1e3", "12abc", " 1", "0x10", "18446744073709551616", "1.0"})
    EXPECT_EQ(parse_unsigned(refused), std::nullopt) << refused;
}

TEST(ParseDouble, TakesAWholeTextAndAPlusSign) {
  EXPECT_EQ(parse_double("-3e2"), -300.0);
  EXPECT_EQ(parse_double("+.5"), 0.5);
  for (const char* refused : {"", "+", "+-1", "--1", "1,5", "1 ", "0x1p3", "one"})
    EXPECT_EQ(parse_double(refused), std::nullopt) << refused;
}

TEST(Shortest, ReadsBackAsTheSameNumber) {
  EXPECT_EQ(shortest(0.1), "0.1");
  EXPECT_EQ(shortest(1e300), "1e+300");
  EXPECT_EQ(parse_double(shortest(1.0 / 3)), 1.0 / 3);
}

TEST(Message, WritesNumbersShapesAndNames) {
  constexpr Message text = [] {
    Message m;
    m << "x " << Shape{batch, dyn, 8, 0} << ": " << -12 << " and " << std::int64_t{9223372036854775807};
    return m;
  }();
  static_assert(text.view() == "x (batch, dyn, 8, 0): -12 and 9223372036854775807");
  EXPECT_EQ(text.view(), "x (batch, dyn, 8, 0): -12 and 9223372036854775807");
}

TEST(Message, WritesEveryLetterOfAName) {
  Message m;
  m << extent("az") << " " << extent("zzzzzzzzzzzz") << " " << extent("steps");
  EXPECT_EQ(m.view(), "az zzzzzzzzzzzz steps");
}

TEST(Message, CutsOffWhatIsTooLong) {
  Message m;
  m << std::string(1000, 'a');
  EXPECT_EQ(m.view().size(), Message::capacity);
}

TEST(Shape, ElementsThatNoMachineHoldsAreNoNumber) {
  EXPECT_EQ(checked_elements(Shape{4611686018427387904, 8}), std::nullopt);
  EXPECT_EQ(checked_elements(Shape{0, 4611686018427387904}), std::nullopt);
  EXPECT_EQ(checked_elements(Shape{0, 7}), 0);
  EXPECT_EQ(checked_elements(Shape{3, -1}), std::nullopt);
  EXPECT_EQ(checked_elements(Shape{3, 5}), 15);
}

}  // namespace
}  // namespace tenon
