// The generator and the random initialisers against values recorded from an independent implementation.
#include "tenon/random.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

namespace tenon::random {
namespace {

// The fields of one line of rng_vectors.txt after the group's name.
class Row {
 public:
  explicit Row(const std::string& line) : fields_(line) {}
  double number() { return std::strtod(word().c_str(), nullptr); }
  std::uint64_t natural() { return std::strtoull(word().c_str(), nullptr, 10); }
  std::uint64_t bits() { return std::strtoull(word().c_str(), nullptr, 16); }
  double binary64() { return std::bit_cast<double>(bits()); }
  float binary32() { return std::bit_cast<float>(static_cast<std::uint32_t>(bits())); }
  std::string word() {
    std::string text;
    EXPECT_TRUE(fields_ >> text);
    return text;
  }

 private:
  std::istringstream fields_;
};

std::vector<Row> rows(const std::string& group) {
  std::vector<Row> found;
  std::ifstream file(std::string(TENON_TEST_DATA) + "/rng_vectors.txt");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with(group + ' ')) found.emplace_back(line.substr(group.size()));
  }
  EXPECT_FALSE(found.empty()) << group;
  return found;
}

template <class T>
void expect_same_bits(T found, T expected) {
  EXPECT_EQ(strict::detail::bits(found), strict::detail::bits(expected)) << found << " is not " << expected;
}

std::int64_t units_apart(double a, double b) {
  EXPECT_EQ(std::signbit(a), std::signbit(b));
  return std::abs(static_cast<std::int64_t>(strict::detail::bits(a) - strict::detail::bits(b)));
}

TEST(SplitMix64, GivesTheKnownValues) {
  for (Row& row : rows("splitmix64")) {
    const std::uint64_t x = row.bits();
    EXPECT_EQ(splitmix64(x), row.bits()) << x;
  }
}

TEST(SplitMix64, IsComputedByTheCompiler) { static_assert(splitmix64(0) == 0xe220a8397b1dcdafu); }

TEST(Key, IsTheMixedSumOfSeedAndCounter) {
  static_assert(key(42, 1) == splitmix64(43));
  static_assert(key(0xffffffffffffffffu, 2) == splitmix64(1));
}

TEST(Unit, GivesTheKnownDraws) {
  for (Row& row : rows("unit")) {
    const std::uint64_t seed = row.natural();
    const std::uint64_t i = row.natural();
    EXPECT_EQ(key(seed, 0), row.bits());
    const double expected = row.binary64();
    expect_same_bits(unit(key(seed, 0), i), expected);
    expect_same_bits(unit_at(seed, i), expected);
  }
}

TEST(Unit, StaysBelowOne) {
  for (std::uint64_t i = 0; i < 100000; ++i) {
    const double draw = unit(7, i);
    ASSERT_TRUE(0 <= draw && draw < 1) << i;
    ASSERT_EQ(draw * 0x1p32, std::floor(draw * 0x1p32)) << i;
  }
}

TEST(NextSeed, MixesSeedAndPositionTwice) {
  static_assert(next_seed(0, 0) == splitmix64(kGoldenGamma));
  static_assert(next_seed(5, 3) == splitmix64(8 + kGoldenGamma));
  static_assert(next_seed(0, 0) == 0x6e789e6aa1b965f4u);
  static_assert(next_seed(0, 0) != key(0, 0));
}

TEST(Uniform, GivesTheKnownValues) {
  for (Row& row : rows("uniform")) {
    const double low = row.number();
    const double high = row.number();
    const std::uint64_t k = key(row.natural(), 0);
    const std::uint64_t i = row.natural();
    expect_same_bits(uniform<double>(low, high, k, i), row.binary64());
    expect_same_bits(uniform<float>(low, high, k, i), row.binary32());
  }
}

TEST(Uniform, GivesTheKnownValuesWithinTheXavierLimit) {
  for (Row& row : rows("xavier")) {
    const std::uint64_t fan_in = row.natural();
    const double limit = xavier_limit(fan_in, row.natural());
    const std::uint64_t k = key(row.natural(), 0);
    const std::uint64_t i = row.natural();
    const double expected = row.binary64();
    // A limit of 0 leaves low == high: the value is `low`, a zero of whichever sign.
    EXPECT_EQ(uniform<double>(-limit, limit, k, i), expected);
    EXPECT_EQ(uniform<float>(-limit, limit, k, i), row.binary32());
  }
}

TEST(Uniform, GivesTheKnownValuesWithinTheKaimingLimit) {
  for (Row& row : rows("kaiming")) {
    const double limit = kaiming_limit(row.natural());
    const std::uint64_t k = key(row.natural(), 0);
    const std::uint64_t i = row.natural();
    EXPECT_EQ(uniform<double>(-limit, limit, k, i), row.binary64());
    EXPECT_EQ(uniform<float>(-limit, limit, k, i), row.binary32());
  }
}

TEST(Uniform, NeverReachesTheUpperBoundByRounding) {
  // No binary32 number lies between these bounds but the lower one and its like, so half of all draws round to `high`.
  const double low = 1;
  const double high = 1 + 0x1p-23;
  for (std::uint64_t i = 0; i < 1000; ++i) ASSERT_EQ(uniform<float>(low, high, key(1, 0), i), 1.0f);
}

TEST(Uniform, TakesTheLargestValueBelowANegativeBoundOrZero) {
  const std::uint64_t k = key(3, 0);
  for (std::uint64_t i = 0; i < 1000; ++i) {
    ASSERT_LT(uniform<float>(-1 - 0x1p-24, -1, k, i), -1.0f);
    ASSERT_LT(uniform<float>(-0x1p-149, 0, k, i), 0.0f);
    ASSERT_LT(uniform<double>(-0x1p-1074, 0, k, i), 0.0);
  }
}

TEST(Uniform, LeavesABoundBetweenTwoValuesOfTheType) {
  const double high = 1 + 0x1p-30;  // rounds down to 1, which is below it and so a legal value
  for (std::uint64_t i = 0; i < 1000; ++i) ASSERT_EQ(uniform<float>(1, high, key(1, 0), i), 1.0f);
}

TEST(Uniform, GivesTheBoundWhereBothAreEqual) {
  EXPECT_EQ(uniform<float>(2.5, 2.5, key(0, 0), 9), 2.5f);
  EXPECT_EQ(uniform<double>(2.5, 2.5, key(0, 0), 9), 2.5);
}

TEST(Normal, LiesWithinOneUnitOfTheKnownValues) {
  for (Row& row : rows("normal")) {
    const double mean = row.number();
    const double deviation = row.number();
    const std::uint64_t k = key(row.natural(), 0);
    const std::uint64_t i = row.natural();
    const double expected = row.binary64();
    EXPECT_LE(units_apart(normal<double>(mean, deviation, k, i), expected), 1) << "element " << i;
  }
}

TEST(Normal, RoundsOnceToBinary32) {
  for (std::uint64_t i = 0; i < 1000; ++i) {
    ASSERT_EQ(normal<float>(0.5, 2, key(8, 0), i), static_cast<float>(normal<double>(0.5, 2, key(8, 0), i)));
  }
}

TEST(Normal, HasTheMomentsOfANormalDistribution) {
  constexpr std::uint64_t kCount = 100000;
  const auto draw = [](std::uint64_t i) { return normal<double>(0, 1, key(11, 0), i); };
  const double mean = strict::tree_sum<double>(kCount, draw) / kCount;
  const double square = strict::tree_sum<double>(kCount, [&](std::uint64_t i) { return draw(i) * draw(i); }) / kCount;
  EXPECT_NEAR(mean, 0, 0.015);  // some five standard errors
  EXPECT_NEAR(square, 1, 0.025);
}

TEST(Bernoulli, GivesTheKnownMasks) {
  for (Row& row : rows("bernoulli")) {
    const double keep = row.number();
    const std::uint64_t seed = row.natural();
    const std::uint64_t k = key(seed, row.natural());
    EXPECT_EQ(k, row.bits());
    std::string mask;
    for (std::uint64_t i = 0; i < 16; ++i) mask += bernoulli<float>(keep, k, i) == 1 ? '1' : '0';
    EXPECT_EQ(mask, row.word());
  }
}

TEST(Limits, AreZeroWithoutAFan) {
  EXPECT_EQ(xavier_limit(0, 0), 0);
  EXPECT_EQ(kaiming_limit(0), 0);
}

TEST(Limits, FollowTheirFormulas) {
  EXPECT_EQ(xavier_limit(2, 4), 1);
  EXPECT_EQ(kaiming_limit(24), 0.5);
  EXPECT_EQ(xavier_limit(std::numeric_limits<std::uint64_t>::max(), 1), std::sqrt(6 / 0x1p64));
}

}  // namespace
}  // namespace tenon::random
