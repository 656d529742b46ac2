// exact.h: binary32 as docs/numerics.md wants it, on devices that may flush subnormals and that may divide and take
// roots in whatever way.
//
// A `real` is a bit pattern, with operators. Of the device it needs that + - * of normal numbers with a normal result
// are rounded to nearest even; what is or may be subnormal goes through integers, and so do comparisons, quotients and
// roots.
//
// Pure functions; any thread.
#pragma once
#include "language.h"

namespace tenon_metal {

static constant constexpr uint kSign32 = 0x80000000u;
static constant constexpr uint kInfinity32 = 0x7f800000u;
static constant constexpr uint kNaN32 = 0x7fc00000u;

inline uint magnitude_bits(uint x) { return x & 0x7fffffffu; }
/// Of a normal number.
inline float power_of_two32(int exponent) { return float_of(uint(127 + exponent) << 23); }
inline bool is_nan_bits(uint x) { return magnitude_bits(x) > kInfinity32; }

/// significand 2^exponent with a sign, rounded; not of 0. The lowest bit may stand for all that was lost below it.
inline uint pack32(uint sign, ulong significand, int exponent) {
  const int shift = int(clz(significand));
  const int top = exponent - shift + 63;
  if (top > 127) return sign | kInfinity32;
  const int below = top < -126 ? -126 - top : 0;
  const uint kept = uint(rounded(significand << shift, 40 + below));
  return sign | (below != 0 ? kept : (uint(top + 126) << 23) + kept);
}

/// A finite number but 0: significand 2^exponent, the significand from 2^23 up to 2^24.
struct Parts32 {
  uint significand;
  int exponent;
};
inline Parts32 parts_of(uint magnitude) {
  Parts32 parts;
  const int field = int(magnitude >> 23);
  if (field != 0) {
    parts.significand = (magnitude & 0x7fffffu) | 0x800000u;
    parts.exponent = field - 150;
  } else {
    const int shift = int(clz(magnitude)) - 8;
    parts.significand = magnitude << shift;
    parts.exponent = -149 - shift;
  }
  return parts;
}

// -- sums ---------------------------------------------------------------------------------------------------

/// x 2^100, for |x| < 2^-98.
inline float scaled_up(uint x) {
  const uint magnitude = magnitude_bits(x);
  if (magnitude >= 0x800000u) return float_of(x + (100u << 23));
  const float scaled = float(magnitude) * power_of_two32(-49);
  return float_of(bits_of(scaled) | (x & kSign32));
}
/// x 2^-100, for a multiple of 2^-49.
inline uint scaled_down(float x) {
  const uint bits = bits_of(x), magnitude = magnitude_bits(bits);
  if (magnitude >= (101u << 23)) return bits - (100u << 23);
  return (bits & kSign32) | uint(float_of(magnitude) * power_of_two32(49));
}

/// Where |a + b| >= 2^-100, a subnormal operand is below half of the other's last place, and the device is right either
/// way. Where it is not, but an operand is not below 2^-98, the sum is exact and far from subnormal.
inline uint sum_of(uint a, uint b) {
  const uint sum = bits_of(float_of(a) + float_of(b));
  if ((sum << 1) >= 0x1b000000u) return sum;
  if (max(a << 1, b << 1) >= 0x1d000000u) return sum;
  return scaled_down(scaled_up(a) + scaled_up(b));
}

// -- products -----------------------------------------------------------------------------------------------

inline uint product_by_integers(uint a, uint b) {
  const uint sign = (a ^ b) & kSign32, x = magnitude_bits(a), y = magnitude_bits(b);
  if (x == 0u || y == 0u) return max(x, y) >= kInfinity32 ? kNaN32 : sign;
  if (max(x, y) >= kInfinity32) return max(x, y) > kInfinity32 ? kNaN32 : sign | kInfinity32;
  const Parts32 p = parts_of(x), q = parts_of(y);
  return pack32(sign, ulong(p.significand) * ulong(q.significand), p.exponent + q.exponent);
}
/// A product that is normal or infinite has operands that were not flushed.
inline uint product_of(uint a, uint b) {
  const uint product = bits_of(float_of(a) * float_of(b));
  if ((product << 1) - 0x01000000u <= 0xfe000000u) return product;
  return product_by_integers(a, b);
}

// -- quotients and roots ------------------------------------------------------------------------------------

/// floor(2^25 a / b) and, in the lowest bit, whether anything is left: from the device's quotient, put right by what
/// remains of it.
inline ulong quotient_of_significands(uint a, uint b) {
  uint quotient = uint(float(a) / float(b) * power_of_two32(25));
  long rest = long(ulong(a) << 25) - long(ulong(quotient) * ulong(b));
  const int missing = int(floor(float(rest) / float(b)));
  quotient += uint(missing);
  rest -= long(missing) * long(b);
  for (; rest < 0; rest += long(b)) --quotient;
  for (; rest >= long(b); rest -= long(b)) ++quotient;
  return ulong(quotient) << 1 | (rest != 0 ? 1ul : 0ul);
}
inline uint quotient_of(uint a, uint b) {
  const uint sign = (a ^ b) & kSign32, x = magnitude_bits(a), y = magnitude_bits(b);
  if (max(x, y) > kInfinity32 || (x == y && (x == 0u || x == kInfinity32))) return kNaN32;
  if (x == kInfinity32 || y == 0u) return sign | kInfinity32;
  if (x == 0u || y == kInfinity32) return sign;
  const Parts32 p = parts_of(x), q = parts_of(y);
  return pack32(sign, quotient_of_significands(p.significand, q.significand), p.exponent - q.exponent - 26);
}

inline uint root_of(uint x) {
  if (magnitude_bits(x) == 0u || x == kInfinity32) return x;
  if (x > kInfinity32) return kNaN32;  // below 0 too
  const Parts32 p = parts_of(x);
  const int shift = 38 + (p.exponent & 1);             // so that what is left of the exponent is even
  const ulong square = ulong(p.significand) << shift;  // from 2^61 up to 2^63
  ulong root = ulong(sqrt(float(square)));
  root = ulong(long(root) + long(float(long(square - root * root)) / (2.0f * float(root))));
  for (; root * root > square;) --root;
  for (; (root + 1ul) * (root + 1ul) <= square;) ++root;
  return pack32(0u, root << 1 | (root * root != square ? 1ul : 0ul), (p.exponent - shift) / 2 - 1);
}

// -- the type -----------------------------------------------------------------------------------------------

enum class real : uint {};

inline uint bits(real x) { return uint(x); }
inline real real_of(uint pattern) { return static_cast<real>(pattern); }
inline real real_from(float x) { return real_of(bits_of(x)); }
inline real real_from(int x) { return real_of(bits_of(float(x))); }
inline real real_from(uint x) { return real_of(bits_of(float(x))); }

inline real operator+(real a, real b) { return real_of(sum_of(bits(a), bits(b))); }
inline real operator-(real x) { return real_of(bits(x) ^ kSign32); }
inline real operator-(real a, real b) { return real_of(sum_of(bits(a), bits(b) ^ kSign32)); }
inline real operator*(real a, real b) { return real_of(product_of(bits(a), bits(b))); }
inline real divide_strictly(real a, real b) { return real_of(quotient_of(bits(a), bits(b))); }
inline real strict_sqrt(real x) { return real_of(root_of(bits(x))); }

inline bool is_nan(real x) { return is_nan_bits(bits(x)); }
inline bool is_negative(real x) { return (bits(x) & kSign32) != 0u; }
/// Numbers in their order; both zeros are 0.
inline int place_of(real x) {
  const int magnitude = int(magnitude_bits(bits(x)));
  return is_negative(x) ? -magnitude : magnitude;
}
inline bool comparable(real a, real b) { return !is_nan(a) && !is_nan(b); }
inline bool operator<(real a, real b) { return comparable(a, b) && place_of(a) < place_of(b); }
inline bool operator<=(real a, real b) { return comparable(a, b) && place_of(a) <= place_of(b); }
inline bool operator>(real a, real b) { return b < a; }
inline bool operator>=(real a, real b) { return b <= a; }
inline bool operator==(real a, real b) { return comparable(a, b) && place_of(a) == place_of(b); }
inline bool operator!=(real a, real b) { return !(a == b); }

inline real strict_maximum(real a, real b) {
  if (!comparable(a, b)) return real_of(kNaN32);
  if (place_of(a) == place_of(b)) return is_negative(a) ? b : a;
  return place_of(a) < place_of(b) ? b : a;
}
inline real strict_minimum(real a, real b) {
  if (!comparable(a, b)) return real_of(kNaN32);
  if (place_of(a) == place_of(b)) return is_negative(a) ? a : b;
  return place_of(a) < place_of(b) ? a : b;
}
inline real strict_relu(real x) { return x <= real_of(0u) ? real_of(0u) : x; }

}  // namespace tenon_metal
