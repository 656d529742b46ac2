// The strict numerics: correct rounding at the hard inputs, accuracy in binary64, and bits that were recorded once and
// must come out of every compiler, at every optimisation level, on every machine.
#include "tenon/numerics.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <limits>
#include <ostream>
#include <string>
#include <vector>

namespace tenon::strict {
namespace {

using detail::bits;
using detail::from_bits;

constexpr float kInf32 = std::numeric_limits<float>::infinity();
constexpr float kNaN32 = std::numeric_limits<float>::quiet_NaN();
constexpr double kInf64 = std::numeric_limits<double>::infinity();
constexpr double kNaN64 = std::numeric_limits<double>::quiet_NaN();
constexpr double kSmallest64 = std::numeric_limits<double>::denorm_min();
constexpr double kLargest64 = std::numeric_limits<double>::max();

// FNV-1a over the bytes of the patterns, all NaNs as one.
class Fingerprint {
 public:
  void add(std::uint64_t pattern) {
    for (int byte = 0; byte < 8; ++byte) value_ = (value_ ^ (pattern >> (8 * byte) & 0xff)) * 0x100000001b3u;
  }
  template <class T>
  void add_value(T x) {
    add(x != x ? 0x7ff8u : bits(x));
  }
  std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0xcbf29ce484222325u;
};

template <class T>
testing::AssertionResult same_bits(T found, T expected) {
  if ((found != found && expected != expected) || bits(found) == bits(expected)) return testing::AssertionSuccess();
  return testing::AssertionFailure() << std::hexfloat << found << " is not " << expected;
}

// ---- the build ----

TEST(Build, RoundsProductsBeforeSums) { EXPECT_TRUE(rounds_products()); }

// ---- binary32 ----

struct Function32 {
  const char* name;
  float (*function)(float);
  std::uint64_t fingerprint;  // recorded from the build whose 2^32 results were all checked
};

void PrintTo(const Function32& function, std::ostream* out) { *out << function.name; }

class StrictBinary32 : public testing::TestWithParam<Function32> {};

struct HardCase {
  std::uint32_t input;
  std::uint32_t result;
};

std::vector<HardCase> hard_cases(const std::string& function) {
  std::vector<HardCase> cases;
  std::ifstream file(std::string(TENON_TEST_DATA) + "/elementary_hard_cases.txt");
  bool is_mine = false;
  for (std::string line; std::getline(file, line);) {
    const bool is_case = line.size() == 17;
    if (!is_case) is_mine = line == function;
    if (!is_case || !is_mine) continue;
    const auto pattern = [&](std::size_t at) {
      return static_cast<std::uint32_t>(std::stoul(line.substr(at, 8), nullptr, 16));
    };
    cases.push_back({pattern(0), pattern(9)});
  }
  return cases;
}

TEST_P(StrictBinary32, IsCorrectlyRoundedOnHardInputs) {
  const std::vector<HardCase> cases = hard_cases(GetParam().name);
  ASSERT_GT(cases.size(), 300u);
  for (const HardCase& hard : cases) {
    EXPECT_TRUE(same_bits(GetParam().function(from_bits(hard.input)), from_bits(hard.result)))
        << GetParam().name << " of " << std::hex << hard.input;
  }
}

TEST_P(StrictBinary32, GivesTheRecordedBitsOverAllMagnitudes) {
  Fingerprint fingerprint;
  for (std::uint64_t input = 0; input < 1u << 31; input += 16381) {
    const auto pattern = static_cast<std::uint32_t>(input);
    fingerprint.add_value(GetParam().function(from_bits(pattern)));
    fingerprint.add_value(GetParam().function(from_bits(pattern | 0x80000000u)));
  }
  EXPECT_EQ(fingerprint.value(), GetParam().fingerprint) << std::hex << fingerprint.value();
}

TEST_P(StrictBinary32, KeepsNaN) {
  for (const std::uint32_t pattern : {0x7fc00000u, 0xffc00000u, 0x7f800001u, 0xffffffffu}) {
    const float result = GetParam().function(from_bits(pattern));
    EXPECT_NE(result, result) << std::hex << pattern;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Elementary, StrictBinary32,
    testing::Values(Function32{"exp", exp, 0x4cc4f0216c7b797eu}, Function32{"log", log, 0x5673234ca54bae21u},
                    Function32{"sin", sin, 0xddd1225c53d52cfdu}, Function32{"cos", cos, 0xfa578f2c88f569f9u},
                    Function32{"tanh", tanh, 0x3a699c81cfd2f57du}, Function32{"sigmoid", sigmoid, 0x8959aa66c9248d5fu},
                    Function32{"softplus", softplus, 0xec1a8c98b114995cu},
                    Function32{"gelu", gelu, 0x14acb35643cc4ef6u}),
    [](const auto& parameter) { return std::string(parameter.param.name); });

TEST(StrictBinary32Edges, HasTheLimitsOfEachFunction) {
  EXPECT_TRUE(same_bits(exp(-kInf32), 0.0f));
  EXPECT_TRUE(same_bits(exp(kInf32), kInf32));
  EXPECT_TRUE(same_bits(log(-0.0f), -kInf32));
  EXPECT_TRUE(same_bits(log(-1.0f), kNaN32));
  EXPECT_TRUE(same_bits(sin(-0.0f), -0.0f));
  EXPECT_TRUE(same_bits(sin(kInf32), kNaN32));
  EXPECT_TRUE(same_bits(cos(-kInf32), kNaN32));
  EXPECT_TRUE(same_bits(tanh(-kInf32), -1.0f));
  EXPECT_TRUE(same_bits(sigmoid(-kInf32), 0.0f));
  EXPECT_TRUE(same_bits(softplus(-kInf32), 0.0f));
  EXPECT_TRUE(same_bits(softplus(kInf32), kInf32));
  EXPECT_TRUE(same_bits(gelu(-kInf32), -0.0f));
  EXPECT_TRUE(same_bits(gelu(kInf32), kInf32));
}

TEST(StrictBinary32Edges, IsComputedByTheCompilerToo) {
  static_assert(exp(1.0f) == 0x1.5bf0a8p+1f);
  static_assert(sin(1e30f) == -0x1.95136p-1f);
}

// ---- binary64 ----

struct Function64 {
  const char* name;
  double (*function)(double);
  long double (*wide)(long double);
  double lowest, highest;  // of the inputs of the accuracy test
  std::uint64_t fingerprint;
};

void PrintTo(const Function64& function, std::ostream* out) { *out << function.name; }

class StrictBinary64 : public testing::TestWithParam<Function64> {};

long double wide_sigmoid(long double x) { return 1 / (1 + std::exp(-x)); }

// A fixed sequence of numbers in [0, 1).
class Steps {
 public:
  double next() {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<double>(state_ >> 11) * 0x1p-53;
  }

 private:
  std::uint64_t state_ = 1;
};

double error_in_units(double found, long double exact) {
  const int exponent = std::max(std::ilogb(exact), -1022) - 52;
  return static_cast<double>(std::fabs(std::ldexp(static_cast<long double>(found) - exact, -exponent)));
}

TEST_P(StrictBinary64, LiesWithinOneUnitInTheLastPlace) {
  if (std::numeric_limits<long double>::digits < 64) GTEST_SKIP() << "long double is no wider than binary64 here";
  Steps steps;
  for (int i = 0; i < 200000; ++i) {
    const double whole = GetParam().lowest + steps.next() * (GetParam().highest - GetParam().lowest);
    const double x = i % 2 == 0 ? whole : whole * 0x1p-8;
    const long double exact = GetParam().wide(x);
    ASSERT_LT(error_in_units(GetParam().function(x), exact), 1) << GetParam().name << " of " << std::hexfloat << x;
  }
}

TEST_P(StrictBinary64, GivesTheRecordedBitsOverAllMagnitudes) {
  Fingerprint fingerprint;
  for (std::uint64_t step = 0; step < 1u << 17; ++step) {
    const std::uint64_t pattern = step << 46 ^ step * 0x9E3779B97F4A7C15u >> 18;
    fingerprint.add_value(GetParam().function(from_bits(pattern)));
    fingerprint.add_value(GetParam().function(from_bits(pattern | detail::kSignBit)));
  }
  EXPECT_EQ(fingerprint.value(), GetParam().fingerprint) << std::hex << fingerprint.value();
}

TEST_P(StrictBinary64, KeepsNaN) {
  const double result = GetParam().function(kNaN64);
  EXPECT_NE(result, result);
}

INSTANTIATE_TEST_SUITE_P(Elementary, StrictBinary64,
                         testing::Values(Function64{"exp", exp, std::exp, -708, 709, 0x10983bd6001c7ff4u},
                                         Function64{"log", log, std::log, 0, 4, 0x3fc8e8412b2456d3u},
                                         Function64{"tanh", tanh, std::tanh, -20, 20, 0xf9bab7f998a75ba5u},
                                         Function64{"sigmoid", sigmoid, wide_sigmoid, -708, 40, 0xd610977236505510u}),
                         [](const auto& parameter) { return std::string(parameter.param.name); });

TEST(StrictBinary64Edges, ExpCoversTheWholeRange) {
  EXPECT_TRUE(same_bits(exp(0.0), 1.0));
  EXPECT_TRUE(same_bits(exp(-0.0), 1.0));
  EXPECT_TRUE(same_bits(exp(1.0), 0x1.5bf0a8b145769p+1));
  EXPECT_TRUE(same_bits(exp(kInf64), kInf64));
  EXPECT_TRUE(same_bits(exp(-kInf64), 0.0));
  EXPECT_TRUE(std::isfinite(exp(0x1.62e42fefa39efp+9)));            // the last input with a finite result
  EXPECT_TRUE(same_bits(exp(0x1.62e42fefa39f0p+9), kInf64));        // the next one
  EXPECT_TRUE(same_bits(exp(-0x1.74910d52d3051p+9), kSmallest64));  // the last one that does not round to 0
  EXPECT_TRUE(same_bits(exp(-0x1.74910d52d3052p+9), 0.0));
  EXPECT_TRUE(same_bits(exp(-740.0), from_bits(std::uint64_t{0x55})));
  EXPECT_TRUE(same_bits(exp(kLargest64), kInf64));
}

TEST(StrictBinary64Edges, LogCoversTheWholeRange) {
  EXPECT_TRUE(same_bits(log(1.0), 0.0));
  EXPECT_TRUE(same_bits(log(0.0), -kInf64));
  EXPECT_TRUE(same_bits(log(-0.0), -kInf64));
  EXPECT_TRUE(same_bits(log(-kSmallest64), kNaN64));
  EXPECT_TRUE(same_bits(log(-kInf64), kNaN64));
  EXPECT_TRUE(same_bits(log(kInf64), kInf64));
  EXPECT_TRUE(same_bits(log(2.0), 0x1.62e42fefa39efp-1));
  EXPECT_TRUE(same_bits(log(kSmallest64), -0x1.74385446d71c3p+9));
  EXPECT_TRUE(same_bits(log(kLargest64), 0x1.62e42fefa39efp+9));
}

TEST(StrictBinary64Edges, TanhCoversTheWholeRange) {
  EXPECT_TRUE(same_bits(tanh(0.0), 0.0));
  EXPECT_TRUE(same_bits(tanh(-0.0), -0.0));
  EXPECT_TRUE(same_bits(tanh(kSmallest64), kSmallest64));
  EXPECT_TRUE(same_bits(tanh(-0x1p-500), -0x1p-500));
  EXPECT_TRUE(same_bits(tanh(22.0), 1.0));
  EXPECT_TRUE(same_bits(tanh(kInf64), 1.0));
  EXPECT_TRUE(same_bits(tanh(-kInf64), -1.0));
}

TEST(StrictBinary64Edges, SigmoidCoversTheWholeRange) {
  EXPECT_TRUE(same_bits(sigmoid(0.0), 0.5));
  EXPECT_TRUE(same_bits(sigmoid(-0.0), 0.5));
  EXPECT_TRUE(same_bits(sigmoid(40.0), 1.0));
  EXPECT_TRUE(same_bits(sigmoid(kInf64), 1.0));
  EXPECT_TRUE(same_bits(sigmoid(-kInf64), 0.0));
  EXPECT_TRUE(same_bits(sigmoid(-740.0), exp(-740.0)));
  EXPECT_TRUE(same_bits(sigmoid(-745.0), kSmallest64));
}

TEST(StrictBoxMuller, GivesTheRecordedBits) {
  Fingerprint fingerprint;
  Steps steps;
  for (int i = 0; i < 20000; ++i) {
    const double u1 = steps.next();
    fingerprint.add_value(box_muller(u1, steps.next()));
  }
  EXPECT_EQ(fingerprint.value(), 0x75aa64d6e4d83c63u) << std::hex << fingerprint.value();
}

TEST(StrictBoxMuller, RaisesATinyFirstDrawToOneMillionth) {
  EXPECT_TRUE(same_bits(box_muller(0, 0), box_muller(1e-6, 0)));
  EXPECT_NEAR(box_muller(0, 0), std::sqrt(-2 * std::log(1e-6)), 1e-15 * 6);
  EXPECT_NEAR(box_muller(0.5, 0.5), -std::sqrt(2 * std::log(2.0)), 1e-15);
  EXPECT_NEAR(box_muller(0.5, 0.25), 0, 1e-15);
}

TEST(StrictPower, MultipliesTheSquaresOfTheExponentsBits) {
  constexpr double b = 0.9;
  constexpr double b2 = b * b;
  constexpr double b4 = b2 * b2;
  constexpr double b8 = b4 * b4;
  EXPECT_TRUE(same_bits(power(b, 1), b));
  EXPECT_TRUE(same_bits(power(b, 2), b2));
  EXPECT_TRUE(same_bits(power(b, 7), (b * b2) * b4));
  EXPECT_TRUE(same_bits(power(b, 13), (b * b4) * b8));
}

TEST(StrictPower, HandlesTheEnds) {
  EXPECT_EQ(power(0, 0), 1);
  EXPECT_EQ(power(kNaN64, 0), 1);
  EXPECT_EQ(power(-1, std::numeric_limits<std::uint64_t>::max()), -1);
  EXPECT_EQ(power(0.999, 10000000), 0);
  EXPECT_EQ(power(2, 1023), 0x1p1023);
  EXPECT_EQ(power(2, 1024), kInf64);
}

TEST(StrictSqrt, IsCorrectlyRounded) {
  EXPECT_EQ(sqrt(2.0f), 0x1.6a09e6p+0f);
  EXPECT_EQ(sqrt(2.0), 0x1.6a09e667f3bcdp+0);
}

// ---- sums ----

// The rule as its definition puts it, level by level.
template <class T>
T sum_by_definition(std::vector<T> sequence) {
  while (sequence.size() > 1) {
    std::vector<T> sums;
    for (std::size_t begin = 0; begin < sequence.size(); begin += 4096) {
      std::array<T, 16> lane = {};
      for (std::size_t i = 0; i < 4096; ++i) lane[i % 16] += begin + i < sequence.size() ? sequence[begin + i] : T{0};
      for (std::size_t j = 0; j < 8; ++j) lane[j] += lane[j + 8];
      for (std::size_t j = 0; j < 4; ++j) lane[j] += lane[j + 4];
      for (std::size_t j = 0; j < 2; ++j) lane[j] += lane[j + 2];
      sums.push_back(lane[0] + lane[1]);
    }
    sequence = sums;
  }
  return sequence.empty() ? T{0} : T{0} + sequence[0];
}

template <class T>
T spread_element(std::uint64_t i) {
  const std::uint64_t mixed = (i + 1) * 0x9E3779B97F4A7C15u;
  const T magnitude = static_cast<T>(mixed >> 40) * static_cast<T>(0x1p-20);
  return mixed >> 20 & 1 ? -magnitude : magnitude;
}

template <class T>
void expect_sum_by_definition(std::uint64_t count) {
  std::vector<T> elements;
  for (std::uint64_t i = 0; i < count; ++i) elements.push_back(spread_element<T>(i));
  EXPECT_TRUE(same_bits(tree_sum<T>(count, spread_element<T>), sum_by_definition(elements))) << count << " elements";
}

TEST(TreeSum, FollowsItsDefinition) {
  constexpr std::uint64_t kBlock = kSumBlock;
  const std::vector<std::uint64_t> counts = {
      0,     1, 2, 15, 16, 17, 31, 33, 1000, kBlock - 1, kBlock, kBlock + 1, 2 * kBlock, 15 * kBlock, 17 * kBlock + 5,
      999983};
  for (const std::uint64_t count : counts) {
    expect_sum_by_definition<float>(count);
    expect_sum_by_definition<double>(count);
  }
}

TEST(TreeSum, FollowsItsDefinitionOnThreeLevels) {
  expect_sum_by_definition<float>(kSumBlock * kSumBlock);
  expect_sum_by_definition<float>(kSumBlock * kSumBlock + 1);
}

TEST(TreeSum, GivesTheRecordedBits) {
  EXPECT_TRUE(same_bits(tree_sum<float>(100, spread_element<float>), -0x1.68b7bcp+6f));
  EXPECT_TRUE(same_bits(tree_sum<float>(100000, spread_element<float>), 0x1.76a6acp+5f));
  EXPECT_TRUE(same_bits(tree_sum<double>(100000, spread_element<double>), 0x1.76a6df8p+5));
}

TEST(TreeSum, AsksForEachElementOnceInAscendingOrder) {
  std::uint64_t expected = 0;
  tree_sum<double>(3 * kSumBlock + 7, [&](std::uint64_t i) {
    EXPECT_EQ(i, expected++);
    return 1.0;
  });
  EXPECT_EQ(expected, 3 * kSumBlock + 7);
}

TEST(TreeSum, IsPlusZeroWhereNothingElseIsSummed) {
  const auto minus_zero = [](std::uint64_t) { return -0.0f; };
  EXPECT_TRUE(same_bits(tree_sum<float>(0, minus_zero), 0.0f));
  EXPECT_TRUE(same_bits(tree_sum<float>(1, minus_zero), 0.0f));
  EXPECT_TRUE(same_bits(tree_sum<float>(5000, minus_zero), 0.0f));
}

TEST(TreeSum, PassesNaNAndInfinityOn) {
  const auto with = [](float special) { return [special](std::uint64_t i) { return i == 4999 ? special : 1.0f; }; };
  EXPECT_TRUE(same_bits(tree_sum<float>(9000, with(kNaN32)), kNaN32));
  EXPECT_TRUE(same_bits(tree_sum<float>(9000, with(-kInf32)), -kInf32));
}

TEST(TreeSum, IsComputedByTheCompilerToo) {
  static_assert(tree_sum<float>(20, [](std::uint64_t i) { return static_cast<float>(i); }) == 190);
}

// ---- order ----

TEST(Maximum, OrdersZerosBySign) {
  EXPECT_TRUE(same_bits(maximum(-0.0f, 0.0f), 0.0f));
  EXPECT_TRUE(same_bits(maximum(0.0f, -0.0f), 0.0f));
  EXPECT_TRUE(same_bits(maximum(-0.0, -0.0), -0.0));
  EXPECT_TRUE(same_bits(minimum(-0.0f, 0.0f), -0.0f));
  EXPECT_TRUE(same_bits(minimum(0.0, -0.0), -0.0));
  EXPECT_TRUE(same_bits(minimum(0.0, 0.0), 0.0));
}

TEST(Maximum, PropagatesNaN) {
  for (const float other : {0.0f, -1.0f, kInf32, -kInf32, kNaN32}) {
    EXPECT_TRUE(same_bits(maximum(kNaN32, other), kNaN32));
    EXPECT_TRUE(same_bits(maximum(other, kNaN32), kNaN32));
    EXPECT_TRUE(same_bits(minimum(kNaN32, other), kNaN32));
    EXPECT_TRUE(same_bits(minimum(other, kNaN32), kNaN32));
  }
}

TEST(Maximum, PicksTheLargerNumber) {
  static_assert(maximum(1.0f, 2.0f) == 2 && maximum(2.0, 1.0) == 2 && minimum(1.0f, 2.0f) == 1);
  EXPECT_EQ(maximum(-kInf32, -1.0f), -1.0f);
  EXPECT_EQ(minimum(kInf32, -1.0f), -1.0f);
}

TEST(Relu, KeepsNaNAndMakesMinusZeroPlus) {
  EXPECT_TRUE(same_bits(relu(-0.0f), 0.0f));
  EXPECT_TRUE(same_bits(relu(-2.0), 0.0));
  EXPECT_TRUE(same_bits(relu(2.0f), 2.0f));
  EXPECT_TRUE(same_bits(relu(-kInf32), 0.0f));
  EXPECT_TRUE(same_bits(relu(kNaN32), kNaN32));
}

}  // namespace
}  // namespace tenon::strict
