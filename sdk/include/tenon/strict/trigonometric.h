// sin and cos of binary32, correctly rounded for every finite input; NaN at the infinities.
//
// As in exponential.h: binary64 + - * / and integers only, rounded once.
//
// Ownership: none.  Threads: any.
#pragma once

#include "tenon/strict/base.h"
#include "tenon/strict/exponential.h"

namespace tenon::strict {
namespace detail {

constexpr double kTwoOverPi = 0x1.45f306dc9c883p-1;

// An angle as quarter turns and a remainder: quarters * pi/2 + high + low, |high| <= pi/4; of the quarters only the two
// lowest bits mean anything.
struct Angle {
  double high;
  double low;
  std::uint64_t quarters;
};

// |x| < 2^28, to 2^-77: pi/2 is taken in three pieces, the first two short enough for exact products.
TENON_DEVICE_FN constexpr Angle reduce_small_angle(double x) {
  constexpr double kFirst = 0x1.921fb5p0;
  constexpr double kSecond = 0x1.110b46p-26;
  constexpr double kThird = 0x1.1a62633145c07p-54;
  const double rounded = x * kTwoOverPi + kRounder;
  const double n = rounded - kRounder;
  const double exact = (x - n * kFirst) - n * kSecond;
  const double rest = n * kThird;
  const double high = exact - rest;
  return {high, (exact - high) - rest, bits(rounded)};
}

// 32 bits of 2/pi from `bit` on, where bit 32 is the first one after the point.
TENON_DEVICE_FN constexpr std::uint64_t two_over_pi_word(unsigned bit) {
  constexpr std::uint32_t kWords[] = {0x00000000u, 0xa2f9836eu, 0x4e441529u, 0xfc2757d1u, 0xf534ddc0u,
                                      0xdb629599u, 0x3c439041u, 0xfe5163abu, 0xdebbc561u};
  const std::uint64_t two = std::uint64_t{kWords[bit / 32]} << 32 | kWords[bit / 32 + 1];
  return two << (bit % 32) >> 32;
}

// 2^28 <= |x| < 2^128: x = m 2^e with m of 24 bits, and of 2/pi only the 96 bits that decide (m 2^e 2/pi) mod 4.
TENON_DEVICE_FN constexpr Angle reduce_large_angle(double x) {
  const std::uint64_t pattern = bits(x) & ~kSignBit;
  const auto exponent = static_cast<unsigned>(pattern >> kFractionBits) - (1023 + 23);
  const std::uint64_t m = ((pattern & 0xfffffffffffffu) | 0x10000000000000u) >> 29;

  // Fixed point with two bits before the point: those above are whole turns, which the product mod 2^64 drops.
  const unsigned first = exponent + 32 - 2;
  const std::uint64_t low_product = m * two_over_pi_word(first + 64);
  const std::uint64_t middle_product = m * two_over_pi_word(first + 32) + (low_product >> 32);
  const std::uint64_t turns =
      (m * two_over_pi_word(first) + (middle_product >> 32)) << 32 | (middle_product & 0xffffffffu);
  const std::uint64_t quarters = (turns + (std::uint64_t{1} << 61)) >> 62;
  const auto fraction = static_cast<std::int64_t>(turns - (quarters << 62));  // of a quarter turn, times 2^62

  const double coarse = static_cast<double>(fraction >> 30) * 0x1p-32;
  const double below = static_cast<double>(low_product & 0xffffffffu) * 0x1p-32;
  const double fine = (static_cast<double>(fraction & 0x3fffffff) + below) * 0x1p-62;
  // pi/2 = 21 bits and the rest, so that `product` is exact.
  const double product = coarse * 0x1.921fbp0;
  const double rest = coarse * 0x1.5110b4611a626p-22 + fine * 0x1.921fb54442d18p0;
  const double high = product + rest;
  const double low = rest - (high - product);
  if (x < 0) return {-high, -low, 0 - quarters};
  return {high, low, quarters};
}

TENON_DEVICE_FN constexpr Angle reduce_angle(double x) {
  const double y = magnitude(x);
  return 0x1p28 <= y && y < kInfinity ? reduce_large_angle(x) : reduce_small_angle(x);
}

// The sine of the angle, but for the sign, which bit 1 of the quarters holds.
TENON_DEVICE_FN constexpr Sum unsigned_sine(const Angle& angle) {
  const double r = angle.high;
  const double r2 = r * r;
  if (angle.quarters % 2 == 0) {
    double p = 0x1.5d8b55814e6d6p-33;
    p = p * r2 + -0x1.ae5e4b834cd84p-26;
    p = p * r2 + 0x1.71de35552a64cp-19;
    p = p * r2 + -0x1.a01a019be920bp-13;
    p = p * r2 + 0x1.111111110f730p-7;
    p = p * r2 + -0x1.5555555555548p-3;
    return {r, (r * r2) * p + (angle.low - angle.low * (r2 * 0.5))};
  }
  double p = -0x1.8fa6811687609p-37;
  p = p * r2 + 0x1.1ee9dbcf4ddc1p-29;
  p = p * r2 + -0x1.27e4f7f19b6dfp-22;
  p = p * r2 + 0x1.a01a019c8f3d7p-16;
  p = p * r2 + -0x1.6c16c16c15016p-10;
  p = p * r2 + 0x1.555555555554bp-5;
  const double half = r2 * 0.5;
  const double high = 1 - half;
  return {high, ((1 - high) - half) + ((r2 * r2) * p - r * angle.low)};
}

TENON_DEVICE_FN constexpr double apply_quarter_sign(double x, std::uint64_t quarters) {
  return from_bits(bits(x) ^ (quarters & 2) << 62);
}

TENON_DEVICE_FN constexpr double sine_unrounded(const Angle& angle) {
  return apply_quarter_sign(round_for_binary32(unsigned_sine(angle)), angle.quarters);
}

}  // namespace detail

// Sine of x radians.
TENON_DEVICE_FN constexpr float sin(float x) {
  if (detail::magnitude(x) < 0x1p-100) return x;  // so that -0 stays, and x^3 does not underflow
  return static_cast<float>(detail::sine_unrounded(detail::reduce_angle(x)));
}

// Cosine of x radians: the sine of a quarter turn more.
TENON_DEVICE_FN constexpr float cos(float x) {
  detail::Angle angle = detail::reduce_angle(x);
  angle.quarters += 1;
  return static_cast<float>(detail::sine_unrounded(angle));
}

}  // namespace tenon::strict
