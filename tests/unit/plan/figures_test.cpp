// Numbers with units as reports print them.
#include "figures.h"

#include <gtest/gtest.h>

namespace tenon {
namespace {

TEST(Figures, HaveThreeDigitsAndTheLargestUnitThatFits) {
  EXPECT_EQ(time_text(0), "0 ns");
  EXPECT_EQ(time_text(999), "999 ns");
  EXPECT_EQ(time_text(1000), "1.00 us");
  EXPECT_EQ(time_text(12'345), "12.3 us");
  EXPECT_EQ(time_text(123'456), "123 us");
  EXPECT_EQ(time_text(1.5e9), "1.50 s");
  EXPECT_EQ(bytes_text(1023), "1023 B");
  EXPECT_EQ(bytes_text(1024), "1.00 KiB");
  EXPECT_EQ(bytes_text(3.5 * 1024 * 1024), "3.50 MiB");
  EXPECT_EQ(number_text(0.004), "0.00");
  EXPECT_EQ(number_text(9.96), "9.96");
  EXPECT_EQ(number_text(9.996), "10.0");
  EXPECT_EQ(number_text(99.96), "100");
}

TEST(Figures, StandInColumnsWithNumbersToTheRight) {
  const std::vector<std::vector<std::string>> rows{{"what", "n", "share"}, {"a", "100", "5 %"}, {"total", ""}};
  EXPECT_EQ(figure_table(rows),
            "what     n  share\n"
            "a      100    5 %\n"
            "total\n");
}

}  // namespace
}  // namespace tenon
