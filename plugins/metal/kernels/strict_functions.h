// strict_functions.h: exp, log, tanh, sigmoid, softplus and gelu of binary32, by the sequences of
// sdk/include/tenon/strict/exponential.h in software binary64. The bit patterns are those headers' hexadecimal numbers.
//
// Pure functions; any thread.
#pragma once
#include "binary64.h"

namespace tenon_metal {

static constant constexpr ulong kOneBits = 0x3ff0000000000000ul;

inline binary64 zero() { return from_bits(0ul); }
inline binary64 one() { return from_bits(kOneBits); }
inline binary64 two() { return from_bits(0x4000000000000000ul); }
inline binary64 one_half() { return from_bits(0x3fe0000000000000ul); }

inline binary64 magnitude(binary64 x) { return from_bits(magnitude_bits(x)); }
inline binary64 with_sign_of(binary64 non_negative, binary64 sign) {
  return from_bits(bits(non_negative) | (bits(sign) & kSignBit));
}
/// A NaN passes.
inline binary64 clamp_number(binary64 x, binary64 low, binary64 high) {
  x = x < low ? low : x;
  return high < x ? high : x;
}

/// Summed by descending powers of x: ((c[n - 1] x + c[n - 2]) x + ...) x + c[0].
inline binary64 polynomial(binary64 x, constant const ulong* coefficients, int count) {
  binary64 value = from_bits(coefficients[count - 1]);
  for (int power = count - 2; power >= 0; --power) value = value * x + from_bits(coefficients[power]);
  return value;
}

// -- exponential --------------------------------------------------------------------------------------------

inline binary64 rounder() { return from_bits(0x4338000000000000ul); }
inline binary64 log2_e() { return from_bits(0x3ff71547652b82feul); }
inline binary64 ln2_high() { return from_bits(0x3fe62e42fefa3800ul); }
inline binary64 ln2_low() { return from_bits(0x3d2ef35793c76730ul); }

inline binary64 exp_series(binary64 r, binary64 first) {
  const binary64 r2 = r * r;
  const binary64 r4 = r2 * r2;
  const binary64 low = (first + from_bits(0x3fc555555555555cul) * r) +
                       (from_bits(0x3fa5555555555544ul) + from_bits(0x3f8111111110ea08ul) * r) * r2;
  const binary64 middle = (from_bits(0x3f56c16c16c1e5c3ul) + from_bits(0x3f2a01a01b43ce4bul) * r) +
                          (from_bits(0x3efa01a017d44cf6ul) + from_bits(0x3ec71ddee89f9a99ul) * r) * r2;
  const binary64 high =
      (from_bits(0x3e927e533aab9523ul) + from_bits(0x3e5af6e545febb46ul) * r) + from_bits(0x3e21eecf5d661ce0ul) * r2;
  return r2 * (low + r4 * (middle + r4 * high));
}
inline binary64 exp_tail(binary64 r) { return exp_series(r, one_half()); }

struct Ln2Reduction {
  binary64 remainder, power;
};
inline Ln2Reduction reduce_by_ln2(binary64 x) {
  const binary64 rounded = x * log2_e() + rounder();
  const binary64 n = rounded - rounder();
  Ln2Reduction reduced;
  reduced.remainder = (x - n * ln2_high()) - n * ln2_low();
  reduced.power = from_bits(kOneBits + (bits(rounded) << 52));
  return reduced;
}
inline binary64 exp_unrounded(binary64 x) {
  const Ln2Reduction reduced = reduce_by_ln2(x);
  return (one() + (reduced.remainder + exp_tail(reduced.remainder))) * reduced.power;
}
struct ExpAndExpm1 {
  binary64 e, expm1;
};
inline ExpAndExpm1 exp_and_expm1(binary64 x) {
  const Ln2Reduction reduced = reduce_by_ln2(x);
  const binary64 scaled = reduced.power * (reduced.remainder + exp_tail(reduced.remainder));
  ExpAndExpm1 both;
  both.e = reduced.power + scaled;
  both.expm1 = (reduced.power - one()) + scaled;
  return both;
}

// -- logarithm ----------------------------------------------------------------------------------------------

static constant constexpr ulong kLogSeries[7] = {0x3fe5555555555592ul, 0x3fd999999997ff07ul, 0x3fd24924941e36a0ul,
                                                 0x3fcc71c5211cf391ul, 0x3fc74663d982ad61ul, 0x3fc39a1d3f89dbe8ul,
                                                 0x3fc2f04ad75d95dful};
inline binary64 log_series(binary64 s) {
  const binary64 s2 = s * s;
  return polynomial(s2, kLogSeries, 7) * s2;
}
inline binary64 log_tail(binary64 f) {
  const binary64 s = f / (two() + f);
  return s * (f - log_series(s));
}

struct Sum {
  binary64 high, low;
};
inline Sum sum_of_two(binary64 high, binary64 low) {
  Sum sum;
  sum.high = high;
  sum.low = low;
  return sum;
}

inline Sum log_as_sum(binary64 x) {
  const ulong biased = (bits(x) + (0x4000000000000000ul - 0x3fe6a09e667f3bcdul)) >> 52;
  const binary64 f = from_bits(bits(x) - (biased << 52) + 0x4000000000000000ul) - one();
  const binary64 exponent = from_bits(biased | 0x4330000000000000ul) - from_bits(0x4330000000000400ul);
  const binary64 multiple = exponent * ln2_high();
  const binary64 high = multiple + f;
  const binary64 lost = f - (high - multiple);
  return sum_of_two(high, lost + (exponent * ln2_low() - log_tail(f)));
}
inline binary64 round_for_binary32(Sum exact) {
  const binary64 sum = exact.high + exact.low;
  if ((bits(sum) & 0x1ffffffful) != 0x10000000ul) return sum;
  const binary64 missing = exact.low - (sum - exact.high);
  const binary64 direction = missing * sum;
  return from_bits((bits(sum) - (direction < zero() ? 1ul : 0ul)) | (zero() < magnitude(direction) ? 1ul : 0ul));
}
inline binary64 log_unrounded(binary64 x) {
  if (!(x < from_bits(kInfinityBits))) return x + x;
  if (x == zero()) return from_bits(kSignBit | kInfinityBits);
  if (x < zero()) return from_bits(kNaNBits);
  return round_for_binary32(log_as_sum(x));
}

// -- tanh, sigmoid, softplus, gelu --------------------------------------------------------------------------

inline binary64 tanh_unrounded(binary64 x) {
  const binary64 y = clamp_number(magnitude(x), zero(), from_bits(0x4024000000000000ul));
  const binary64 t = exp_and_expm1(y + y).expm1;
  return with_sign_of(t / (t + two()), x);
}
inline binary64 sigmoid_unrounded(binary64 x) {
  const binary64 y = clamp_number(magnitude(x), zero(), from_bits(0x405a200000000000ul));
  const ExpAndExpm1 e = exp_and_expm1(zero() - y);
  const bool near_zero = y < one(), negative = x < zero();
  const binary64 numerator = near_zero ? e.expm1 * (negative ? one_half() : -one_half()) : negative ? e.e : one();
  return round_for_binary32(sum_of_two(near_zero ? one_half() : zero(), numerator / (one() + e.e)));
}
inline binary64 softplus_unrounded(binary64 x) {
  const ExpAndExpm1 e = exp_and_expm1(zero() - clamp_number(magnitude(x), zero(), from_bits(0x405a400000000000ul)));
  const bool near_zero = from_bits(0x3fda827999fcef32ul) < e.e;
  const binary64 f = near_zero ? e.expm1 * one_half() : e.e;
  const binary64 positive = zero() < x ? x : zero();
  const binary64 logarithm = f - (log_tail(f) - (near_zero ? ln2_low() : zero()));
  return round_for_binary32(
      sum_of_two(near_zero ? ln2_high() : positive, near_zero ? positive + logarithm : logarithm));
}

static constant constexpr ulong kNormalTail[21] = {
    0x3fe89d3abe1f95aeul, 0xbfe54ad03f27ca19ul, 0x3fdfb31653876f60ul, 0xbfd410ed5f87583dul, 0x3fc51f6329f02b1eul,
    0xbfb1b1c254caea8cul, 0x3f954b4d4f3ce6eeul, 0xbf688590e803f42dul, 0xbf4a250361b9d6d7ul, 0x3f41daf176a3f7dful,
    0xbf0f2156187d3390ul, 0xbf0a16f1cdaba75cul, 0x3ef17e8aa3744549ul, 0x3ed0b0e2ca6e65aeul, 0xbec74eaca4e447f0ul,
    0xbe96c3e8f01aea4ful, 0x3e9e26de443b8377ul, 0x3e6f2f8637c00a7eul, 0xbe73920e90a85b9ful, 0xbe5e48423af117e2ul,
    0xbe29e43ff85c916aul};
inline binary64 gelu_unrounded(binary64 x) {
  const binary64 y = clamp_number(magnitude(x), from_bits(0x3d70000000000000ul), from_bits(0x402e000000000000ul));
  const binary64 inverse = one() / (y + from_bits(0x4014000000000000ul));
  const binary64 numerator = polynomial((y - from_bits(0x4014000000000000ul)) * inverse, kNormalTail, 21);
  const binary64 exponent = y * y * -one_half();
  const binary64 tail = exp_unrounded(exponent) * (numerator * inverse);
  const binary64 lower = clamp_number(x, from_bits(0xc02e000000000000ul), from_bits(0x402e000000000000ul)) * tail;
  return zero() < x ? x - lower : lower;
}

inline real strict_exp(real x) {
  return narrow(exp_unrounded(clamp_number(wide(x), from_bits(0xc05a000000000000ul), from_bits(0x4056400000000000ul))));
}
inline real strict_log(real x) { return narrow(log_unrounded(wide(x))); }
inline real strict_tanh(real x) { return narrow(tanh_unrounded(wide(x))); }
inline real strict_sigmoid(real x) { return narrow(sigmoid_unrounded(wide(x))); }
inline real strict_softplus(real x) { return narrow(softplus_unrounded(wide(x))); }
inline real strict_gelu(real x) { return narrow(gelu_unrounded(wide(x))); }

}  // namespace tenon_metal
