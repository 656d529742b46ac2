// strict_error_function.h: erf and gelu_derivative of binary32, by the sequences of
// sdk/include/tenon/strict/error_function.h in software binary64.
//
// Pure functions; any thread.
#pragma once
#include "strict_functions.h"

namespace tenon_metal {

inline binary64 power_of_two(long exponent) { return from_bits(ulong(1023 + exponent) << 52); }
inline binary64 scale_by_power(binary64 x, long exponent) {
  const long first = exponent >> 1;
  return x * power_of_two(first) * power_of_two(exponent - first);
}
struct ScaledSum {
  Sum sum;
  long exponent;
};
inline ScaledSum exp_as_sum(binary64 x) {
  const binary64 rounded = x * log2_e() + rounder();
  const binary64 n = rounded - rounder();
  const binary64 exact = x - n * ln2_high();
  const binary64 rest_of_ln2 = n * ln2_low();
  const binary64 r = exact - rest_of_ln2;
  const binary64 r_low = (exact - r) - rest_of_ln2;

  const binary64 half_square = one_half() * r * r;
  const binary64 linear = one() + r;
  const binary64 lost_by_linear = r - (linear - one());
  const binary64 quadratic = linear + half_square;
  const binary64 lost_by_quadratic = half_square - (quadratic - linear);
  const binary64 rest = exp_series(r, zero()) + ((lost_by_linear + lost_by_quadratic) + r_low * linear);

  const binary64 sum = quadratic + rest;
  ScaledSum scaled;
  scaled.sum = sum_of_two(sum, rest - (sum - quadratic));
  scaled.exponent = long(int(uint(bits(rounded))));
  return scaled;
}

inline binary64 gaussian_end() { return from_bits(0x4043800000000000ul); }

static constant constexpr ulong kGaussianTail[27] = {
    0x3fe82b4bb8c94dceul, 0xbfe373e3a893c28aul, 0x3fd8c6dbf2cfc2aeul, 0xbfc7dff2bff68311ul, 0x3faeec4cc3e4df46ul,
    0xbf7ee276104a7147ul, 0xbf6c81719d688334ul, 0x3f5ab825fcb95989ul, 0x3f217a4af36983abul, 0xbf2e4a42886a77bbul,
    0xbec002055c2d0183ul, 0x3f026d0df4329307ul, 0x3ea80dad4d0aced0ul, 0xbed8d52e6e2d2a2ful, 0xbea52701a93a0980ul,
    0x3eb127dd113b1ab8ul, 0x3e925be0f4f6c94bul, 0xbe8501615b7e11f5ul, 0xbe77b9bc35f238b3ul, 0x3e4f6b53d3f020bcul,
    0x3e58847f05606c6bul, 0x3e189e5d6118cf23ul, 0xbe33a185ddb567c0ul, 0xbe0d5d99a465f454ul, 0x3e05bbb36093790bul,
    0x3de027d9597f93e8ul, 0xbdc8b6702f42845eul};

inline ScaledSum gaussian_bell(binary64 y) {
  const binary64 head = from_bits(bits(y) & ~0x7fffffful);
  const binary64 rest = (y - head) * (y + head) * -one_half();
  ScaledSum bell = exp_as_sum(head * head * -one_half());
  const binary64 growth = rest * (one() + rest * (one_half() + rest * from_bits(0x3fc5555555555555ul)));
  bell.sum.low = bell.sum.low + bell.sum.high * growth;
  return bell;
}
inline binary64 gaussian_tail(binary64 y, ScaledSum bell) {
  const binary64 ratio =
      polynomial((y - from_bits(0x4010000000000000ul)) / (y + from_bits(0x4010000000000000ul)), kGaussianTail, 27) /
      (y + from_bits(0x4010000000000000ul));
  return scale_by_power((bell.sum.high + bell.sum.low) * ratio, bell.exponent);
}

static constant constexpr ulong kErfSeries[13] = {
    0xbfd812746b0379e7ul, 0x3fbce2f21a042bdeul, 0xbf9b82ce312889beul, 0x3f7565bcd0e650e1ul, 0xbf4c02db3feedba8ul,
    0x3f1f9a326c2864b4ul, 0xbeef4d2562282ff2ul, 0x3ebb9e65114fcc87ul, 0xbe85f6d978de772ful, 0x3e4fc43a356a068dul,
    0xbe14e61eb4124ecbul, 0x3dd7f0f204500b63ul, 0xbd929cd9cfb6be5ful};

inline real strict_erf(real x) {
  const binary64 wide_x = wide(x), y = magnitude(wide_x);
  if (!(y < one())) {
    const binary64 z = clamp_number(y * from_bits(0x3ff6a09e667f3bcdul), zero(), gaussian_end());
    const Sum beyond = sum_of_two(one(), from_bits(0xc000000000000000ul) * gaussian_tail(z, gaussian_bell(z)));
    return narrow(with_sign_of(round_for_binary32(beyond), wide_x));
  }
  const binary64 square = wide_x * wide_x;
  const binary64 low = wide_x * (from_bits(0x3e10a6db446b8ea4ul) + polynomial(square, kErfSeries, 13) * square);
  return narrow(round_for_binary32(sum_of_two(wide_x * from_bits(0x3ff20dd750000000ul), low)));
}
inline real strict_gelu_derivative(real x) {
  const binary64 z = clamp_number(wide(x), -gaussian_end(), gaussian_end()), y = magnitude(z);
  const ScaledSum bell = gaussian_bell(y);
  const binary64 tail = gaussian_tail(y, bell);
  const binary64 density =
      scale_by_power(bell.sum.high + bell.sum.low, bell.exponent) * from_bits(0x3fd9884533d43651ul);
  return narrow((zero() < z ? one() - tail : tail) + z * density);
}

}  // namespace tenon_metal
