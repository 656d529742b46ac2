// The error function and what rests on it: erf, and of gelu the binary64 form and the derivative.
//
// erf of binary32 is correctly rounded; tests/exhaustive checks all 2^32 inputs.  docs/numerics.md gives the largest
// errors of binary64.  gelu_derivative of binary32 is the binary64 value, rounded once.
//
// As in binary64.h the sequence of operations is the definition.  Ownership: none.  Threads: any.
#pragma once

#include "tenon/strict/base.h"
#include "tenon/strict/binary64.h"
#include "tenon/strict/exponential.h"

namespace tenon::strict {
namespace detail {

constexpr double kGaussianEnd = 39;  // Phi(-39) is below half of the smallest subnormal

// (y + 4) exp(y^2/2) Phi(-y), y >= 0, by ascending powers of t = (y - 4) / (y + 4); the fit's own error is below 2^-59.
TENON_DEVICE_FN constexpr double gaussian_tail_series(double t) {
  constexpr double kCoefficients[] = {
      0x1.82b4bb8c94dcep-1,  -0x1.373e3a893c28ap-1,  0x1.8c6dbf2cfc2aep-2,   -0x1.7dff2bff68311p-3,
      0x1.eec4cc3e4df46p-5,  -0x1.ee276104a7147p-8,  -0x1.c81719d688334p-9,  0x1.ab825fcb95989p-10,
      0x1.17a4af36983abp-13, -0x1.e4a42886a77bbp-13, -0x1.002055c2d0183p-19, 0x1.26d0df4329307p-15,
      0x1.80dad4d0acedp-21,  -0x1.8d52e6e2d2a2fp-18, -0x1.52701a93a098p-21,  0x1.127dd113b1ab8p-20,
      0x1.25be0f4f6c94bp-22, -0x1.501615b7e11f5p-23, -0x1.7b9bc35f238b3p-24, 0x1.f6b53d3f020bcp-27,
      0x1.8847f05606c6bp-26, 0x1.89e5d6118cf23p-30,  -0x1.3a185ddb567cp-28,  -0x1.d5d99a465f454p-31,
      0x1.5bbb36093790bp-31, 0x1.027d9597f93e8p-33,  -0x1.8b6702f42845ep-35,
  };
  constexpr int kDegree = 26;
  double value = kCoefficients[kDegree];
  for (int power = kDegree - 1; power >= 0; --power) value = value * t + kCoefficients[power];
  return value;
}

// exp(-y^2/2), 0 <= y <= kGaussianEnd.  The square is cut in two, since its rounding would be the exponent's error.
TENON_DEVICE_FN constexpr ScaledSum gaussian_bell(double y) {
  const double head = from_bits(bits(y) & ~std::uint64_t{0x7ffffff});  // 26 bits: head^2 is exact
  const double rest = (y - head) * (y + head) * -0.5;                  // below 2^-15
  const ScaledSum e = exp_as_sum(head * head * -0.5);
  const double growth = rest * (1 + rest * (0.5 + rest * 0x1.5555555555555p-3));  // e^rest - 1
  return {{e.sum.high, e.sum.low + e.sum.high * growth}, e.exponent};
}

// Phi(-y), the upper tail of the normal distribution, from `bell` = exp(-y^2/2).
TENON_DEVICE_FN constexpr double gaussian_tail(double y, ScaledSum bell) {
  const double ratio = gaussian_tail_series((y - 4) / (y + 4)) / (y + 4);
  return scale_by_power((bell.sum.high + bell.sum.low) * ratio, bell.exponent);
}
TENON_DEVICE_FN constexpr double gaussian_tail(double y) { return gaussian_tail(y, gaussian_bell(y)); }

// erf(x) / x - 2/sqrt(pi) as a function of x^2 <= 1; the fit's own error is below 2^-62.
TENON_DEVICE_FN constexpr double erf_series(double square) {
  double p = -0x1.29cd9cfb6be5fp-38;
  p = p * square + 0x1.7f0f204500b63p-34;
  p = p * square + -0x1.4e61eb4124ecbp-30;
  p = p * square + 0x1.fc43a356a068dp-27;
  p = p * square + -0x1.5f6d978de772fp-23;
  p = p * square + 0x1.b9e65114fcc87p-20;
  p = p * square + -0x1.f4d2562282ff2p-17;
  p = p * square + 0x1.f9a326c2864b4p-14;
  p = p * square + -0x1.c02db3feedba8p-11;
  p = p * square + 0x1.565bcd0e650e1p-8;
  p = p * square + -0x1.b82ce312889bep-6;
  p = p * square + 0x1.ce2f21a042bdep-4;
  p = p * square + -0x1.812746b0379e7p-2;
  return p * square;
}

// erf |x| beyond 1: 1 - 2 Phi(-sqrt(2) |x|).
TENON_DEVICE_FN constexpr Sum erf_beyond_one(double magnitude) {
  constexpr double kSqrt2 = 0x1.6a09e667f3bcdp0;
  return {1, -2 * gaussian_tail(clamp(magnitude * kSqrt2, 0, kGaussianEnd))};
}

constexpr double kTwoOverSqrtPiHigh = 0x1.20dd75p0;  // 25 bits: its product with a binary32 number is exact
constexpr double kTwoOverSqrtPiLow = 0x1.0a6db446b8ea4p-30;

}  // namespace detail

// 2/sqrt(pi) times the integral of exp(-t^2) from 0 to x.
TENON_DEVICE_FN constexpr float erf(float x) {
  const double wide = x;
  const double y = detail::magnitude(wide);
  if (!(y < 1)) {
    return static_cast<float>(detail::with_sign_of(detail::round_for_binary32(detail::erf_beyond_one(y)), wide));
  }
  const double low = wide * (detail::kTwoOverSqrtPiLow + detail::erf_series(wide * wide));
  return static_cast<float>(detail::round_for_binary32({wide * detail::kTwoOverSqrtPiHigh, low}));
}
TENON_DEVICE_FN constexpr double erf(double x) {
  const double y = detail::magnitude(x);
  if (y < 1) return x * detail::kTwoOverSqrtPiHigh + x * (detail::kTwoOverSqrtPiLow + detail::erf_series(x * x));
  const detail::Sum beyond = detail::erf_beyond_one(y);
  return detail::with_sign_of(beyond.high + beyond.low, x);
}

// x Phi(x); -0 at -infinity, the limit.
TENON_DEVICE_FN constexpr double gelu(double x) {
  const double lower = detail::clamp(x, -detail::kGaussianEnd, detail::kGaussianEnd) *
                       detail::gaussian_tail(detail::clamp(detail::magnitude(x), 0, detail::kGaussianEnd));
  return 0 < x ? x - lower : lower;
}

// Phi(x) + x phi(x), the derivative of gelu: 0 and 1 at the infinities.
TENON_DEVICE_FN constexpr double gelu_derivative(double x) {
  constexpr double kOneOverSqrtTwoPi = 0x1.9884533d43651p-2;
  const double z = detail::clamp(x, -detail::kGaussianEnd, detail::kGaussianEnd);
  const double y = detail::magnitude(z);
  const detail::ScaledSum bell = detail::gaussian_bell(y);
  const double tail = detail::gaussian_tail(y, bell);
  const double density = detail::scale_by_power(bell.sum.high + bell.sum.low, bell.exponent) * kOneOverSqrtTwoPi;
  return (0 < z ? 1 - tail : tail) + z * density;
}
TENON_DEVICE_FN constexpr float gelu_derivative(float x) {
  return static_cast<float>(gelu_derivative(static_cast<double>(x)));
}

}  // namespace tenon::strict
