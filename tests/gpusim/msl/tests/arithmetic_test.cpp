// Software binary64, and binary32 that does not depend on the device's subnormals, against the host's arithmetic: over
// all pairs of hard values, and over random ones of which many are near each other, near the ends or halfway.
//
// The same bits have to come out on a device that flushes and on one that does not.
#include <cmath>
#include <limits>

#include "run.h"

namespace gpusim::msl {
namespace {

struct Cases {
  std::uint32_t count, operation;
};
constexpr unsigned group = 64, groups = 16;

Library& arithmetic(bool flushing) {
  static Library& flushes = library_at(MSL_ARITHMETIC);
  static Library& gradual = library_at(MSL_ARITHMETIC_GRADUAL);
  return flushing ? flushes : gradual;
}

template <class Float, class Bits>
struct Pairs {
  std::vector<Bits> left, right;
  void add(Bits a, Bits b) {
    left.push_back(a);
    right.push_back(b);
  }
};

template <class Float, class Bits>
std::vector<Bits> hard_values() {
  using limits = std::numeric_limits<Float>;
  std::vector<Bits> values;
  const auto add = [&](Float x) {
    values.push_back(__builtin_bit_cast(Bits, x));
    values.push_back(__builtin_bit_cast(Bits, -x));
  };
  for (const Float x :
       {Float(0), Float(1), Float(1.5), Float(3), limits::min(), limits::max(), limits::denorm_min(),
        limits::infinity(), limits::quiet_NaN(), limits::epsilon(), Float(1) / 3, std::sqrt(limits::min()),
        std::sqrt(limits::denorm_min()), limits::min() / limits::epsilon(), 1 + limits::epsilon()}) {
    add(x);
    add(std::nextafter(x, Float(0)));
    add(std::nextafter(x, limits::infinity()));
    add(x * 2);
    add(x / 3);
  }
  return values;
}

template <class Float, class Bits>
Pairs<Float, Bits> pairs(unsigned random) {
  Pairs<Float, Bits> out;
  const auto hard = hard_values<Float, Bits>();
  for (const Bits a : hard)
    for (const Bits b : hard) out.add(a, b);
  constexpr int digits = std::numeric_limits<Float>::digits - 1, width = 8 * sizeof(Bits);
  constexpr Bits fraction = (Bits{1} << digits) - 1;
  constexpr int exponents = 1 << (width - 1 - digits);
  std::mt19937_64 engine(7);
  const auto of_exponent = [&](int e) {
    Bits bits = Bits(engine()) & fraction;
    if (engine() % 4 == 0) bits &= Bits(engine()) & Bits(engine());  // few bits: ties
    if (engine() % 8 == 0) bits |= fraction >> (engine() % digits);
    return Bits(engine() << (width - 1)) | Bits(std::min(std::max(e, 0), exponents - 2)) << digits | bits;
  };
  for (unsigned i = 0; i < random; ++i) {
    const int e = int(engine() % unsigned(exponents)), near = int(engine() % 64) - 32, bias = exponents / 2 - 1;
    switch (i % 5) {
      case 0:  // anything
        out.add(Bits(engine()), Bits(engine()));
        break;
      case 1:  // sums that align and cancel
        out.add(of_exponent(e), of_exponent(e + near * digits / 32));
        break;
      case 2:  // products near the smallest numbers
        out.add(of_exponent(e), of_exponent(bias - digits + near - e));
        break;
      case 3:  // quotients near them, and products near the largest
        out.add(of_exponent(e), of_exponent(e + bias + digits + near));
        break;
      default:  // both small
        out.add(of_exponent(int(engine() % unsigned(2 * digits))), of_exponent(int(engine() % unsigned(2 * digits))));
    }
  }
  return out;
}

template <class Bits>
std::vector<Bits> computed(const char* kernel, std::uint32_t operation, const std::vector<Bits>& left,
                           const std::vector<Bits>& right, bool flushing = true) {
  Runner runner(arithmetic(flushing));
  const std::vector<void*> arrays = {runner.of(left), runner.of(right), runner.unwritten<Bits>(left.size())};
  runner.run(kernel, {groups, 1, 1}, group, arrays, Cases{std::uint32_t(left.size()), operation});
  EXPECT_EQ(runner.faults(), std::vector<std::string>());
  return runner.read(static_cast<Bits*>(arrays[2]), left.size());
}

template <class Float, class Bits, class Rule>
std::vector<Bits> expected(const std::vector<Bits>& left, const std::vector<Bits>& right, Rule rule) {
  std::vector<Bits> out;
  for (std::size_t i = 0; i < left.size(); ++i) {
    const volatile Float a = __builtin_bit_cast(Float, left[i]), b = __builtin_bit_cast(Float, right[i]);
    out.push_back(__builtin_bit_cast(Bits, Float(rule(Float(a), Float(b)))));
  }
  return out;
}

using std::uint32_t;
using std::uint64_t;

constexpr unsigned random_cases = 200000;

TEST(MetalBinary64, RoundsAsTheHostDoes) {
  const auto p = pairs<double, uint64_t>(random_cases);
  const auto check = [&](uint32_t operation, const char* sign, auto rule) {
    expect_same(computed("wide_arithmetic", operation, p.left, p.right), expected<double>(p.left, p.right, rule), sign);
  };
  check(0, "+", [](double a, double b) { return a + b; });
  check(1, "-", [](double a, double b) { return a - b; });
  check(2, "*", [](double a, double b) { return a * b; });
  check(3, "/", [](double a, double b) { return a / b; });
}

TEST(MetalBinary64, ComparesAsTheHostDoes) {
  const auto p = pairs<double, uint64_t>(random_cases);
  const auto rule = [](double a, double b) {
    return __builtin_bit_cast(double, uint64_t((a < b ? 1 : 0) | (a <= b ? 2 : 0) | (a == b ? 4 : 0)));
  };
  expect_same(computed("wide_arithmetic", 4, p.left, p.right), expected<double>(p.left, p.right, rule), "< <= ==");
}

TEST(MetalBinary64, ConvertsAsTheHostDoes) {
  const auto p = pairs<double, uint64_t>(random_cases);
  const auto check = [&](uint32_t operation, const char* what, auto rule) {
    std::vector<uint64_t> wanted;
    for (const uint64_t bits : p.left) wanted.push_back(rule(bits));
    expect_same(computed("wide_arithmetic", operation, p.left, p.right), wanted, what);
  };
  check(5, "from ulong", [](uint64_t x) { return __builtin_bit_cast(uint64_t, double(x)); });
  check(6, "from long", [](uint64_t x) { return __builtin_bit_cast(uint64_t, double(std::int64_t(x))); });
  check(8, "from binary32",
        [](uint64_t x) { return __builtin_bit_cast(uint64_t, double(__builtin_bit_cast(float, uint32_t(x)))); });
  // The payload of a NaN is not defined.
  const auto found = computed("wide_arithmetic", 7, p.left, p.right);
  for (std::size_t i = 0; i < found.size(); ++i) {
    const auto narrow = __builtin_bit_cast(uint32_t, float(__builtin_bit_cast(double, p.left[i])));
    if (is_nan(narrow) && is_nan(uint32_t(found[i]))) continue;
    ASSERT_EQ(found[i], narrow) << std::hex << p.left[i];
  }
}

/// Values whose halves to binary32 lie exactly between two numbers, or one place beside that.
TEST(MetalBinary64, RoundsTiesToBinary32ToEven) {
  std::vector<uint64_t> ties;
  std::mt19937_64 engine(3);
  for (int i = 0; i < 50000; ++i) {
    const int exponent = int(engine() % 320) - 170;
    const double middle = std::ldexp(double((engine() & 0xffffff) | 1), exponent) / 2;
    for (const double x : {middle, std::nextafter(middle, 0.0), std::nextafter(middle, 1e300)})
      ties.push_back(__builtin_bit_cast(uint64_t, x));
  }
  const auto found = computed("wide_arithmetic", 7, ties, ties);
  for (std::size_t i = 0; i < ties.size(); ++i)
    ASSERT_EQ(found[i], __builtin_bit_cast(uint32_t, float(__builtin_bit_cast(double, ties[i]))))
        << std::hex << ties[i];
}

#if defined(__SSE__)
TEST(MetalFlushing, IsWhatTheDevicesOwnProductsShow) {
  const std::vector<uint32_t> subnormal = {0x00400000u, 0x00800000u}, factor = {0x40000000u, 0x3f000000u};  // 2, 1/2
  EXPECT_EQ(computed("native_products", 0, subnormal, factor, false),
            (std::vector<uint32_t>{0x00800000u, 0x00400000u}));
  EXPECT_EQ(computed("native_products", 0, subnormal, factor, true), (std::vector<uint32_t>{0, 0}));
}
#endif

class MetalBinary32 : public testing::TestWithParam<bool> {
 protected:
  void check(uint32_t operation, const char* sign, float (*rule)(float, float)) {
    static const auto p = pairs<float, uint32_t>(random_cases);
    expect_same(computed("narrow_arithmetic", operation, p.left, p.right, GetParam()),
                expected<float>(p.left, p.right, rule), sign);
  }
};

TEST_P(MetalBinary32, RoundsSumsAsTheHostDoes) {
  check(0, "+", [](float a, float b) { return a + b; });
  check(1, "-", [](float a, float b) { return a - b; });
}
TEST_P(MetalBinary32, RoundsProductsAsTheHostDoes) {
  check(2, "*", [](float a, float b) { return a * b; });
}
TEST_P(MetalBinary32, RoundsQuotientsAsTheHostDoes) {
  check(3, "/", [](float a, float b) { return a / b; });
}
TEST_P(MetalBinary32, RoundsRootsAsTheHostDoes) {
  check(4, "sqrt", [](float a, float) { return std::sqrt(a); });
}
TEST_P(MetalBinary32, ComparesAsTheHostDoes) {
  check(7, "comparisons", [](float a, float b) {
    return __builtin_bit_cast(float, uint32_t((a < b ? 1 : 0) | (a <= b ? 2 : 0) | (a == b ? 4 : 0) | (a > b ? 8 : 0) |
                                              (a >= b ? 16 : 0) | (a != b ? 32 : 0)));
  });
}

INSTANTIATE_TEST_SUITE_P(Where, MetalBinary32, testing::Bool(),
                         [](const auto& flushing) { return flushing.param ? "Flushing" : "Gradual"; });

}  // namespace
}  // namespace gpusim::msl
