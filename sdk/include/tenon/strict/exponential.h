// exp, log, tanh, sigmoid, softplus and gelu of binary32, correctly rounded: each result is the binary32 nearest to the
// exact value, ties to even, with gradual underflow.
//
// They work in binary64 by + - * / and bit patterns only and round once at the end, so any compiler and any device that
// does not contract gives the same bits.  tests/exhaustive/ checks all 2^32 inputs of each.
//
// Ownership: none.  Threads: any.
#pragma once

#include "tenon/strict/base.h"

namespace tenon::strict {
namespace detail {

// Adding it to a number below 2^51 rounds that to an integer, which is then also found in the low bits of the sum.
constexpr double kRounder = 0x1.8p52;
constexpr double kLog2E = 0x1.71547652b82fep0;
constexpr double kLn2High = 0x1.62e42fefa38p-1;  // 42 bits: n * kLn2High is exact for |n| < 2^11
constexpr double kLn2Low = 0x1.ef35793c7673p-45;

// r^2 (constant + r/6 + r^2/24 + ...), the Taylor series of e^r from the square on, where its constant is 1/2.  For
// |r| <= 0.3466 the polynomial's own error is below 2^-63 of e^r.
TENON_DEVICE_FN constexpr double exp_series(double r, double constant) {
  const double r2 = r * r;
  const double r4 = r2 * r2;
  const double low = (constant + 0x1.555555555555cp-3 * r) + (0x1.5555555555544p-5 + 0x1.111111110ea08p-7 * r) * r2;
  const double middle =
      (0x1.6c16c16c1e5c3p-10 + 0x1.a01a01b43ce4bp-13 * r) + (0x1.a01a017d44cf6p-16 + 0x1.71ddee89f9a99p-19 * r) * r2;
  const double high = (0x1.27e533aab9523p-22 + 0x1.af6e545febb46p-26 * r) + 0x1.1eecf5d661cep-29 * r2;
  return r2 * (low + r4 * (middle + r4 * high));
}

// e^r - 1 - r.
TENON_DEVICE_FN constexpr double exp_tail(double r) { return exp_series(r, 0.5); }

// x = n ln 2 + remainder, n an integer.
struct Ln2Reduction {
  double remainder;
  double power;  // 2^n, as long as that is a normal number
};
TENON_DEVICE_FN constexpr Ln2Reduction reduce_by_ln2(double x) {
  const double rounded = x * kLog2E + kRounder;
  const double n = rounded - kRounder;
  return {(x - n * kLn2High) - n * kLn2Low, from_bits(kOneBits + (bits(rounded) << kFractionBits))};
}

// e^x, |x| < 700, to a little more than what binary32 needs.  The last step is a product so that NaN stays NaN.
TENON_DEVICE_FN constexpr double exp_unrounded(double x) {
  const Ln2Reduction reduced = reduce_by_ln2(x);
  return (1 + (reduced.remainder + exp_tail(reduced.remainder))) * reduced.power;
}

// e^x and e^x - 1, each with its own relative accuracy.
struct ExpAndExpm1 {
  double exp;
  double expm1;
};
TENON_DEVICE_FN constexpr ExpAndExpm1 exp_and_expm1(double x) {
  const Ln2Reduction reduced = reduce_by_ln2(x);
  const double scaled = reduced.power * (reduced.remainder + exp_tail(reduced.remainder));
  return {reduced.power + scaled, (reduced.power - 1) + scaled};
}

// With s = f / (2 + f), log(1 + f) = 2 artanh(s) = f - s (f - R); this is R = s^2 (2/3 + 2/5 s^2 + 2/7 s^4 ...), for
// sqrt(1/2) - 1 <= f <= sqrt(2) - 1.
TENON_DEVICE_FN constexpr double log_series(double s) {
  const double s2 = s * s;
  double p = 0x1.2f04ad75d95dfp-3;
  p = p * s2 + 0x1.39a1d3f89dbe8p-3;
  p = p * s2 + 0x1.74663d982ad61p-3;
  p = p * s2 + 0x1.c71c5211cf391p-3;
  p = p * s2 + 0x1.24924941e36a0p-2;
  p = p * s2 + 0x1.999999997ff07p-2;
  p = p * s2 + 0x1.5555555555592p-1;
  return p * s2;
}

// f - log(1 + f), over the same range.
TENON_DEVICE_FN constexpr double log_tail(double f) {
  const double s = f / (2 + f);
  return s * (f - log_series(s));
}

// A value known to more than 53 bits: high + low, |high| >= |low| or high = 0.
struct Sum {
  double high;
  double low;
};

// x = (1 + f) 2^exponent with 1 + f in [sqrt(1/2), sqrt(2)), for positive finite x that is normal in binary64.
struct Decomposed {
  double exponent;
  double f;
};
TENON_DEVICE_FN constexpr Decomposed decompose(double x) {
  constexpr std::uint64_t kSqrtHalfBits = 0x3fe6a09e667f3bcdu;
  constexpr std::uint64_t kTwoBits = 0x4000000000000000u;
  constexpr std::uint64_t kTwo52Bits = 0x4330000000000000u;
  const std::uint64_t biased = (bits(x) + (kTwoBits - kSqrtHalfBits)) >> kFractionBits;  // the exponent plus 1024
  const double significand = from_bits(bits(x) - (biased << kFractionBits) + kTwoBits);
  return {from_bits(biased | kTwo52Bits) - (0x1p52 + 1024), significand - 1};
}

// log x for positive finite x that is normal in binary64.
TENON_DEVICE_FN constexpr Sum log_as_sum(double x) {
  const Decomposed parts = decompose(x);
  const double multiple = parts.exponent * kLn2High;
  const double high = multiple + parts.f;
  const double lost = parts.f - (high - multiple);  // exact: |multiple| > |f| or multiple = 0
  return {high, lost + (parts.exponent * kLn2Low - log_tail(parts.f))};
}

// The sum as a binary64 number that rounds to binary32 as the exact sum does.  Rounding twice goes wrong only where the
// first rounding lands halfway between two binary32 values, once in 2^29; that one is rounded to odd instead.
TENON_DEVICE_FN constexpr double round_for_binary32(Sum exact) {
  constexpr std::uint64_t kDropped = 0x1fffffffu;  // the bits of binary64 below the last one of binary32
  constexpr std::uint64_t kHalfway = 0x10000000u;
  const double sum = exact.high + exact.low;
  if ((bits(sum) & kDropped) != kHalfway) return sum;
  const double missing = exact.low - (sum - exact.high);
  const double direction = missing * sum;  // below 0 the sum is too far from 0, above 0 too near to it
  return from_bits((bits(sum) - (direction < 0 ? 1u : 0u)) | (0 < magnitude(direction) ? 1u : 0u));
}

// log x for any binary32 value x, ready to be rounded.
TENON_DEVICE_FN constexpr double log_unrounded(double x) {
  if (!(x < kInfinity)) return x + x;  // +infinity and NaN
  if (x == 0) return -kInfinity;
  if (x < 0) return kNaN;
  return round_for_binary32(log_as_sum(x));
}

TENON_DEVICE_FN constexpr double tanh_unrounded(double x) {
  const double y = clamp(magnitude(x), 0, 10);
  const double t = exp_and_expm1(y + y).expm1;
  return with_sign_of(t / (t + 2), x);
}

// With e = e^-|x|: 1 / (1 + e) or e / (1 + e), and for |x| < 1, where those lose too much: 1/2 +- (1 - e) / (2 + 2 e).
TENON_DEVICE_FN constexpr double sigmoid_unrounded(double x) {
  const double y = clamp(magnitude(x), 0, 104.5);
  const ExpAndExpm1 e = exp_and_expm1(0 - y);
  const bool near_zero = y < 1;
  const bool negative = x < 0;
  const double numerator = near_zero ? e.expm1 * (negative ? 0.5 : -0.5) : (negative ? e.exp : 1);
  return round_for_binary32({near_zero ? 0.5 : 0, numerator / (1 + e.exp)});
}

// max(x, 0) + log(1 + e), e = e^-|x|.  For e above sqrt(2) - 1 the logarithm is taken as ln 2 + log(1 + (e - 1) / 2).
TENON_DEVICE_FN constexpr double softplus_unrounded(double x) {
  const ExpAndExpm1 e = exp_and_expm1(0 - clamp(magnitude(x), 0, 105));
  const bool near_zero = 0x1.a827999fcef32p-2 < e.exp;
  const double f = near_zero ? e.expm1 * 0.5 : e.exp;
  const double positive = 0 < x ? x : 0;
  const double logarithm = f - (log_tail(f) - (near_zero ? kLn2Low : 0));
  return round_for_binary32({near_zero ? kLn2High : positive, near_zero ? positive + logarithm : logarithm});
}

// Phi(-y) = exp(-y^2/2) N(t) / (y + 5) with t = (y - 5) / (y + 5), 0 <= y <= 15; this is N, by ascending powers of t.
TENON_DEVICE_FN constexpr double normal_tail_numerator(double t) {
  constexpr double kCoefficients[] = {
      0x1.89d3abe1f95aep-1,   -0x1.54ad03f27ca19p-1, 0x1.fb31653876f6p-2,    -0x1.410ed5f87583dp-2,
      0x1.51f6329f02b1ep-3,   -0x1.1b1c254caea8cp-4, 0x1.54b4d4f3ce6eep-6,   -0x1.88590e803f42dp-9,
      -0x1.a250361b9d6d7p-11, 0x1.1daf176a3f7dfp-11, -0x1.f2156187d339p-15,  -0x1.a16f1cdaba75cp-15,
      0x1.17e8aa3744549p-16,  0x1.0b0e2ca6e65aep-18, -0x1.74eaca4e447fp-19,  -0x1.6c3e8f01aea4fp-22,
      0x1.e26de443b8377p-22,  0x1.f2f8637c00a7ep-25, -0x1.3920e90a85b9fp-24, -0x1.e48423af117e2p-26,
      -0x1.9e43ff85c916ap-29,
  };
  constexpr int kDegree = 20;
  double value = kCoefficients[kDegree];
  for (int power = kDegree - 1; power >= 0; --power) value = value * t + kCoefficients[power];
  return value;
}

// x Phi(x), through Phi(-|x|).
TENON_DEVICE_FN constexpr double gelu_unrounded(double x) {
  // Not below 2^-40: half of a subnormal may be a tie, which the next term of the series, x^2, has to decide.
  const double y = clamp(magnitude(x), 0x1p-40, 15);
  const double inverse = 1 / (y + 5);
  const double numerator = normal_tail_numerator((y - 5) * inverse);
  const double exponent = y * y * -0.5;  // exact
  const double tail = exp_unrounded(exponent) * (numerator * inverse);
  const double lower = clamp(x, -15, 15) * tail;
  return 0 < x ? x - lower : lower;
}

}  // namespace detail

// e^x.
TENON_DEVICE_FN constexpr float exp(float x) {
  return static_cast<float>(detail::exp_unrounded(detail::clamp(x, -104, 89)));
}

// Natural logarithm: -infinity at either zero, NaN below.
TENON_DEVICE_FN constexpr float log(float x) { return static_cast<float>(detail::log_unrounded(x)); }

TENON_DEVICE_FN constexpr float tanh(float x) { return static_cast<float>(detail::tanh_unrounded(x)); }

// 1 / (1 + e^-x).
TENON_DEVICE_FN constexpr float sigmoid(float x) { return static_cast<float>(detail::sigmoid_unrounded(x)); }

// log(1 + e^x).
TENON_DEVICE_FN constexpr float softplus(float x) { return static_cast<float>(detail::softplus_unrounded(x)); }

// x (1 + erf(x / sqrt 2)) / 2; -0 at -infinity, the limit.
TENON_DEVICE_FN constexpr float gelu(float x) { return static_cast<float>(detail::gelu_unrounded(x)); }

}  // namespace tenon::strict
