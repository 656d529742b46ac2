// What every part of the strict numerics stands on: the marker of a device function, the checks on how a translation
// unit is compiled, and the bit patterns of binary32 and binary64.
//
// Ownership: nothing here holds anything.  Threads: every function is pure, so any thread may call it.
#pragma once

#include <cfloat>
#include <cstdint>
#include <limits>

// Marks a function that a kernel on an accelerator may call as well as the host.
#if defined(__CUDACC__) || defined(__HIPCC__)
#define TENON_DEVICE_FN __host__ __device__ inline
#else
#define TENON_DEVICE_FN inline
#endif

// A compiler tells that it reorders, but not that it fuses: -ffp-contract=off remains the build's duty, and
// rounds_products() tells whether it was done.
#if defined(__FAST_MATH__) || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__) || \
    defined(__ASSOCIATIVE_MATH__) || defined(__RECIPROCAL_MATH__) || defined(__NO_SIGNED_ZEROS__)
#error "[numerics] strict arithmetic compiled with -ffast-math or a part of it: drop that, keep -ffp-contract=off"
#endif
#if defined(FLT_EVAL_METHOD) && FLT_EVAL_METHOD != 0
#error "[numerics] compiled for x87: strict arithmetic needs -msse2 -mfpmath=sse"
#endif

namespace tenon::strict {

static_assert(std::numeric_limits<float>::is_iec559 && std::numeric_limits<float>::digits == 24);
static_assert(std::numeric_limits<double>::is_iec559 && std::numeric_limits<double>::digits == 53);

namespace detail {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

constexpr std::uint64_t kSignBit = 0x8000000000000000u;
constexpr std::uint64_t kOneBits = 0x3ff0000000000000u;  // of 1.0
constexpr int kFractionBits = 52;

// The builtin rather than std::bit_cast: device compilers take it without asking whose function it is.
TENON_DEVICE_FN constexpr std::uint64_t bits(double x) { return __builtin_bit_cast(std::uint64_t, x); }
TENON_DEVICE_FN constexpr std::uint32_t bits(float x) { return __builtin_bit_cast(std::uint32_t, x); }
TENON_DEVICE_FN constexpr double from_bits(std::uint64_t pattern) { return __builtin_bit_cast(double, pattern); }
TENON_DEVICE_FN constexpr float from_bits(std::uint32_t pattern) { return __builtin_bit_cast(float, pattern); }

TENON_DEVICE_FN constexpr bool is_negative(double x) { return bits(x) >> 63 != 0; }
TENON_DEVICE_FN constexpr bool is_negative(float x) { return bits(x) >> 31 != 0; }

TENON_DEVICE_FN constexpr double magnitude(double x) { return from_bits(bits(x) & ~kSignBit); }

// `non_negative` with the sign of `sign`; a NaN stays one.
TENON_DEVICE_FN constexpr double with_sign_of(double non_negative, double sign) {
  return from_bits(bits(non_negative) | (bits(sign) & kSignBit));
}

// Written so that a NaN passes.
TENON_DEVICE_FN constexpr double clamp(double x, double low, double high) {
  x = x < low ? low : x;
  return high < x ? high : x;
}

}  // namespace detail

// True where this translation unit rounds a product before it is added to, as strict arithmetic demands; false where
// the compiler fuses the two.  The host asks once, when it opens a device.
inline bool rounds_products() {
  volatile double factor = 0x1.0000001p0, addend = -0x1.0000002p0;  // factor^2 = -addend + 2^-56, which rounding drops
  const double a = factor, b = addend;
  return a * a + b == 0;
}

}  // namespace tenon::strict
