// strict_trigonometry.h: sin and cos of binary32, and those of binary64 up to a quarter turn, by the sequences of
// sdk/include/tenon/strict/trigonometric.h and binary64_trigonometric.h in software binary64.
//
// Pure functions; any thread.
#pragma once
#include "strict_functions.h"

namespace tenon_metal {

struct Angle {
  binary64 high, low;
  ulong quarters;
};
inline Angle angle_of(binary64 high, binary64 low, ulong quarters) {
  Angle angle;
  angle.high = high;
  angle.low = low;
  angle.quarters = quarters;
  return angle;
}

inline Angle reduce_small_angle(binary64 x) {
  const binary64 rounded = x * from_bits(0x3fe45f306dc9c883ul) + rounder();
  const binary64 n = rounded - rounder();
  const binary64 exact = (x - n * from_bits(0x3ff921fb50000000ul)) - n * from_bits(0x3e5110b460000000ul);
  const binary64 rest = n * from_bits(0x3c91a62633145c07ul);
  const binary64 high = exact - rest;
  return angle_of(high, (exact - high) - rest, bits(rounded));
}

static constant constexpr uint kTwoOverPi[9] = {0x00000000u, 0xa2f9836eu, 0x4e441529u, 0xfc2757d1u, 0xf534ddc0u,
                                                0xdb629599u, 0x3c439041u, 0xfe5163abu, 0xdebbc561u};
/// 32 bits of 2/pi from `bit` on, where bit 32 is the first one after the point.
inline ulong two_over_pi_word(uint bit) {
  const ulong both = ulong(kTwoOverPi[bit / 32u]) << 32 | ulong(kTwoOverPi[bit / 32u + 1u]);
  return both << (bit % 32u) >> 32;
}
inline Angle reduce_large_angle(binary64 x) {
  const ulong pattern = magnitude_bits(x);
  const uint exponent = uint(pattern >> 52) - (1023u + 23u);
  const ulong m = ((pattern & 0xffffffffffffful) | 0x10000000000000ul) >> 29;
  const uint first = exponent + 32u - 2u;
  const ulong low_product = m * two_over_pi_word(first + 64u);
  const ulong middle_product = m * two_over_pi_word(first + 32u) + (low_product >> 32);
  const ulong turns = (m * two_over_pi_word(first) + (middle_product >> 32)) << 32 | (middle_product & 0xfffffffful);
  const ulong quarters = (turns + (1ul << 61)) >> 62;
  const long fraction = long(turns - (quarters << 62));

  const binary64 coarse = number(fraction >> 30) * from_bits(0x3df0000000000000ul);
  const binary64 below = number(low_product & 0xfffffffful) * from_bits(0x3df0000000000000ul);
  const binary64 fine = (number(ulong(fraction) & 0x3ffffffful) + below) * from_bits(0x3c10000000000000ul);
  const binary64 product = coarse * from_bits(0x3ff921fb00000000ul);
  const binary64 rest = coarse * from_bits(0x3e95110b4611a626ul) + fine * from_bits(0x3ff921fb54442d18ul);
  const binary64 high = product + rest;
  const binary64 low = rest - (high - product);
  if (x < zero()) return angle_of(-high, -low, 0ul - quarters);
  return angle_of(high, low, quarters);
}
inline Angle reduce_angle(binary64 x) {
  const binary64 y = magnitude(x);
  if (from_bits(0x41b0000000000000ul) <= y && y < from_bits(kInfinityBits)) return reduce_large_angle(x);
  return reduce_small_angle(x);
}

static constant constexpr ulong kSine[6] = {0xbfc5555555555548ul, 0x3f8111111110f730ul, 0xbf2a01a019be920bul,
                                            0x3ec71de35552a64cul, 0xbe5ae5e4b834cd84ul, 0x3de5d8b55814e6d6ul};
static constant constexpr ulong kCosine[6] = {0x3fa555555555554bul, 0xbf56c16c16c15016ul, 0x3efa01a019c8f3d7ul,
                                              0xbe927e4f7f19b6dful, 0x3e21ee9dbcf4ddc1ul, 0xbda8fa6811687609ul};
inline Sum unsigned_sine(Angle angle) {
  const binary64 r = angle.high;
  const binary64 r2 = r * r;
  const binary64 half_square = r2 * one_half();
  if ((angle.quarters & 1ul) == 0ul)
    return sum_of_two(r, (r * r2) * polynomial(r2, kSine, 6) + (angle.low - angle.low * half_square));
  const binary64 p = polynomial(r2, kCosine, 6);
  const binary64 high = one() - half_square;
  return sum_of_two(high, ((one() - high) - half_square) + ((r2 * r2) * p - r * angle.low));
}
inline binary64 apply_quarter_sign(binary64 x, ulong quarters) { return from_bits(bits(x) ^ (quarters & 2ul) << 62); }

inline real sine_of(Angle angle) {
  return narrow(apply_quarter_sign(round_for_binary32(unsigned_sine(angle)), angle.quarters));
}
inline real strict_sin(real x) {
  if (magnitude(wide(x)) < from_bits(0x39b0000000000000ul)) return x;
  return sine_of(reduce_angle(wide(x)));
}
inline real strict_cos(real x) {
  Angle angle = reduce_angle(wide(x));
  angle.quarters += 1ul;
  return sine_of(angle);
}

// -- binary64, from 0 to a quarter turn ---------------------------------------------------------------------

inline binary64 product_error(binary64 a, binary64 b, binary64 product) {
  const binary64 a_shifted = a * from_bits(0x41a0000002000000ul), b_shifted = b * from_bits(0x41a0000002000000ul);
  const binary64 a_high = a_shifted - (a_shifted - a), b_high = b_shifted - (b_shifted - b);
  const binary64 a_low = a - a_high, b_low = b - b_high;
  return a_low * b_low - (((product - a_high * b_high) - a_low * b_high) - a_high * b_low);
}
inline Sum times_half_pi(Sum a) {
  const binary64 high_factor = from_bits(0x3ff921fb54442d18ul), low_factor = from_bits(0x3c91a62633145c07ul);
  const binary64 product = a.high * high_factor;
  const binary64 rest = product_error(a.high, high_factor, product) + (a.high * low_factor + a.low * high_factor);
  const binary64 high = product + rest;
  return sum_of_two(high, rest - (high - product));
}

static constant constexpr uint kLongTwoOverPi[9] = {0x00000000u, 0x00000000u, 0xa2f9836eu, 0x4e441529u, 0xfc2757d1u,
                                                    0xf534ddc0u, 0xdb629599u, 0x3c439041u, 0xfe5163abu};
inline ulong long_two_over_pi_word(uint bit) {
  const ulong both = ulong(kLongTwoOverPi[bit / 32u]) << 32 | ulong(kLongTwoOverPi[bit / 32u + 1u]);
  return both << (bit % 32u) >> 32;
}
/// pi/4 < x < 4.
inline Angle reduce_any_angle(binary64 x) {
  const ulong m = (bits(x) & 0xffffffffffffful) | 0x10000000000000ul;
  const uint first = uint(bits(x) >> 52) - (1023u + 52u) + 62u;
  uint word[6];
  ulong carry = 0ul;
  for (int k = 5; k >= 0; --k) {
    carry += (m & 0xfffffffful) * long_two_over_pi_word(first + 32u * uint(k));
    word[k] = uint(carry);
    carry >>= 32;
  }
  carry = 0ul;
  for (int k = 4; k >= 0; --k) {
    carry += (m >> 32) * long_two_over_pi_word(first + 32u * uint(k + 1)) + ulong(word[k]);
    word[k] = uint(carry);
    carry >>= 32;
  }
  const ulong turns = ulong(word[0]) << 32 | ulong(word[1]);
  const ulong quarters = (turns + (1ul << 61)) >> 62;
  const long fraction = long(turns - (quarters << 62));

  const binary64 first_part = number(fraction >> 32) * from_bits(0x3e10000000000000ul);
  const binary64 second_part = number(ulong(fraction) & 0xfffffffful) * from_bits(0x3c10000000000000ul);
  const binary64 sum = first_part + second_part;
  const binary64 lost = second_part - (sum - first_part);
  const binary64 below = number(ulong(word[2])) * from_bits(0x3a10000000000000ul) +
                         (number(ulong(word[3])) * from_bits(0x3810000000000000ul) +
                          number(ulong(word[4])) * from_bits(0x3610000000000000ul));
  const binary64 rest = lost + below;
  const binary64 high = sum + rest;
  const Sum r = times_half_pi(sum_of_two(high, rest - (high - sum)));
  return angle_of(r.high, r.low, quarters);
}
inline binary64 wide_sine_of(binary64 x, ulong more) {
  Angle angle = angle_of(x, zero(), 0ul);
  if (from_bits(0x3fe921fb54442d18ul) < x) angle = reduce_any_angle(x);
  angle.quarters += more;
  const Sum sine = unsigned_sine(angle);
  return apply_quarter_sign(sine.high + sine.low, angle.quarters);
}
inline binary64 wide_sin(binary64 x) { return x < from_bits(0x39b0000000000000ul) ? x : wide_sine_of(x, 0ul); }
inline binary64 wide_cos(binary64 x) { return wide_sine_of(x, 1ul); }

}  // namespace tenon_metal
