// binary64.h: binary64 in software, on 64-bit integers: + - * / rounded to nearest even with subnormals, comparisons,
// and conversions. Metal has no such type, and the strict functions are sequences of its operations.
//
// Pure functions; any thread.
#pragma once
#include "exact.h"

namespace tenon_metal {

static constant constexpr ulong kSignBit = 0x8000000000000000ul;
static constant constexpr ulong kInfinityBits = 0x7ff0000000000000ul;
static constant constexpr ulong kNaNBits = 0x7ff8000000000000ul;

enum class binary64 : ulong {};

inline ulong bits(binary64 x) { return ulong(x); }
inline binary64 from_bits(ulong pattern) { return static_cast<binary64>(pattern); }
inline ulong magnitude_bits(binary64 x) { return bits(x) & ~kSignBit; }

/// significand 2^exponent with a sign, rounded; not of 0. The lowest bit may stand for all that was lost below it.
inline binary64 pack64(ulong sign, ulong significand, int exponent) {
  const int shift = int(clz(significand));
  const int top = exponent - shift + 63;
  if (top > 1023) return from_bits(sign | kInfinityBits);
  const int below = top < -1022 ? -1022 - top : 0;
  const ulong kept = rounded(significand << shift, 11 + below);
  return from_bits(sign | (below != 0 ? kept : (ulong(top + 1022) << 52) + kept));
}

/// A finite number: significand 2^exponent, below 2^53.
struct Parts64 {
  ulong significand;
  int exponent;
};
inline Parts64 parts_of(ulong magnitude) {
  Parts64 parts;
  const int field = int(magnitude >> 52);
  parts.significand = (magnitude & 0xffffffffffffful) | (field != 0 ? 0x10000000000000ul : 0ul);
  parts.exponent = (field != 0 ? field : 1) - 1075;
  return parts;
}
/// The same with a significand from 2^63 on; not of 0.
inline Parts64 normalised_parts_of(ulong magnitude) {
  Parts64 parts = parts_of(magnitude);
  const int shift = int(clz(parts.significand));
  parts.significand <<= shift;
  parts.exponent -= shift;
  return parts;
}

/// x >> distance, with what was lost in the lowest bit.
inline ulong shifted_right(ulong x, int distance) {
  if (distance > 63) return x != 0ul ? 1ul : 0ul;
  return x >> distance | ((x & ((1ul << distance) - 1ul)) != 0ul ? 1ul : 0ul);
}

// -- arithmetic ---------------------------------------------------------------------------------------------

inline __attribute__((noinline)) binary64 sum_of(binary64 a, binary64 b) {
  const bool swapped = magnitude_bits(a) < magnitude_bits(b);
  const ulong large = swapped ? bits(b) : bits(a), small = swapped ? bits(a) : bits(b);
  const ulong x = large & ~kSignBit, y = small & ~kSignBit;
  const bool same_sign = ((large ^ small) & kSignBit) == 0ul;
  if (x >= kInfinityBits) return from_bits(x > kInfinityBits || (y == x && !same_sign) ? kNaNBits : large);
  if (y == 0ul) return from_bits(x == 0ul ? large & small : large);
  const Parts64 p = parts_of(x), q = parts_of(y);
  const ulong first = p.significand << 10, second = shifted_right(q.significand << 10, p.exponent - q.exponent);
  const ulong sum = same_sign ? first + second : first - second;
  if (sum == 0ul) return from_bits(0ul);
  return pack64(large & kSignBit, sum, p.exponent - 10);
}

/// The upper 64 bits of a product, with whatever is below them in the lowest.
inline ulong upper_product(ulong a, ulong b) {
  const ulong a_low = a & 0xfffffffful, a_high = a >> 32, b_low = b & 0xfffffffful, b_high = b >> 32;
  const ulong low = a_low * b_low;
  const ulong middle = a_high * b_low + (low >> 32);
  const ulong other = a_low * b_high + (middle & 0xfffffffful);
  const ulong high = a_high * b_high + (middle >> 32) + (other >> 32);
  return high | (((other << 32) | (low & 0xfffffffful)) != 0ul ? 1ul : 0ul);
}
inline __attribute__((noinline)) binary64 product_of(binary64 a, binary64 b) {
  const ulong sign = (bits(a) ^ bits(b)) & kSignBit, x = magnitude_bits(a), y = magnitude_bits(b);
  if (max(x, y) >= kInfinityBits) {
    const bool number = max(x, y) == kInfinityBits && x != 0ul && y != 0ul;
    return from_bits(number ? sign | kInfinityBits : kNaNBits);
  }
  if (x == 0ul || y == 0ul) return from_bits(sign);
  const Parts64 p = normalised_parts_of(x), q = normalised_parts_of(y);
  return pack64(sign, upper_product(p.significand, q.significand), p.exponent + q.exponent + 64);
}

/// floor(2^64 a / b), with what is left in the lowest bit; a < b, and b from 2^63 on. Two digits of 32 bits, each at
/// most two too large at first (Knuth, The Art of Computer Programming, 4.3.1, algorithm D).
inline ulong quotient_of_fractions(ulong a, ulong b) {
  const ulong high = b >> 32, low = b & 0xfffffffful;
  ulong quotient = 0ul;
  for (int digit = 0; digit < 2; ++digit) {
    ulong estimate = a / high, rest = a - estimate * high;
    for (; estimate > 0xfffffffful || estimate * low > (rest << 32);) {
      --estimate;
      rest += high;
      if (rest > 0xfffffffful) break;
    }
    a = (a << 32) - estimate * b;
    quotient = (quotient << 32) + estimate;
  }
  return quotient | (a != 0ul ? 1ul : 0ul);
}
inline __attribute__((noinline)) binary64 quotient_of(binary64 a, binary64 b) {
  const ulong sign = (bits(a) ^ bits(b)) & kSignBit, x = magnitude_bits(a), y = magnitude_bits(b);
  if (max(x, y) > kInfinityBits || (x == y && (x == 0ul || x == kInfinityBits))) return from_bits(kNaNBits);
  if (x == kInfinityBits || y == 0ul) return from_bits(sign | kInfinityBits);
  if (x == 0ul || y == kInfinityBits) return from_bits(sign);
  const Parts64 p = normalised_parts_of(x), q = normalised_parts_of(y);
  return pack64(sign, quotient_of_fractions(p.significand >> 1, q.significand), p.exponent - q.exponent - 63);
}

inline binary64 operator+(binary64 a, binary64 b) { return sum_of(a, b); }
inline binary64 operator-(binary64 x) { return from_bits(bits(x) ^ kSignBit); }
inline binary64 operator-(binary64 a, binary64 b) { return sum_of(a, -b); }
inline binary64 operator*(binary64 a, binary64 b) { return product_of(a, b); }
inline binary64 operator/(binary64 a, binary64 b) { return quotient_of(a, b); }

// -- comparisons --------------------------------------------------------------------------------------------

inline bool is_nan(binary64 x) { return magnitude_bits(x) > kInfinityBits; }
inline bool comparable(binary64 a, binary64 b) { return !is_nan(a) && !is_nan(b); }
inline long place_of(binary64 x) {
  const long magnitude = long(magnitude_bits(x));
  return (bits(x) & kSignBit) != 0ul ? -magnitude : magnitude;
}
inline bool operator<(binary64 a, binary64 b) { return comparable(a, b) && place_of(a) < place_of(b); }
inline bool operator<=(binary64 a, binary64 b) { return comparable(a, b) && place_of(a) <= place_of(b); }
inline bool operator==(binary64 a, binary64 b) { return comparable(a, b) && place_of(a) == place_of(b); }

// -- conversions --------------------------------------------------------------------------------------------

inline binary64 number(ulong x) { return x == 0ul ? from_bits(0ul) : pack64(0ul, x, 0); }
inline binary64 number(long x) {
  const binary64 magnitude = number(x < 0 ? 0ul - ulong(x) : ulong(x));
  return x < 0 ? -magnitude : magnitude;
}
/// Exact.
inline binary64 wide(real x) {
  const uint magnitude = magnitude_bits(bits(x));
  const ulong sign = ulong(bits(x) & kSign32) << 32;
  if (magnitude >= kInfinity32) return from_bits(magnitude > kInfinity32 ? kNaNBits : sign | kInfinityBits);
  if (magnitude == 0u) return from_bits(sign);
  const Parts32 parts = parts_of(magnitude);
  return from_bits(sign | ((ulong(parts.exponent + 1045) << 52) + (ulong(parts.significand) << 29)));
}
inline real narrow(binary64 x) {
  const ulong magnitude = magnitude_bits(x);
  const uint sign = uint(bits(x) >> 32) & kSign32;
  if (magnitude >= kInfinityBits) return real_of(magnitude > kInfinityBits ? kNaN32 : sign | kInfinity32);
  if (magnitude == 0ul) return real_of(sign);
  const Parts64 parts = parts_of(magnitude);
  return real_of(pack32(sign, parts.significand, parts.exponent));
}

}  // namespace tenon_metal
