// intrinsics.h: functions that CUDA and HIP have beyond those of C, in binary32 and binary64 with one rounding each
// (CUDA Math API, "Single Precision Intrinsics", "Integer Intrinsics", "Type Casting Intrinsics").
//
// Kernels are compiled with -ffp-contract=off, so that + and * are __fadd_rn and __fmul_rn. Approximate functions give
// the exact result rounded, or nearly so: what a device makes of them is not what is tested here.
#pragma once
#include <cmath>
#include <cstdint>

#define GPUSIM_ROUNDED(letter, type)                               \
  inline type __##letter##add_rn(type a, type b) { return a + b; } \
  inline type __##letter##mul_rn(type a, type b) { return a * b; } \
  inline type __##letter##sub_rn(type a, type b) { return a - b; } \
  inline type __##letter##div_rn(type a, type b) { return a / b; } \
  inline type __##letter##sqrt_rn(type a) { return std::sqrt(a); } \
  inline type __##letter##rcp_rn(type a) { return type(1) / a; }

GPUSIM_ROUNDED(f, float)
GPUSIM_ROUNDED(d, double)
#undef GPUSIM_ROUNDED

inline float __fmaf_rn(float a, float b, float c) { return std::fma(a, b, c); }
inline double __fma_rn(double a, double b, double c) { return std::fma(a, b, c); }

inline float rsqrtf(float x) { return 1.0f / std::sqrt(x); }
inline double rsqrt(double x) { return 1.0 / std::sqrt(x); }
inline float __expf(float x) { return std::exp(x); }
inline float __logf(float x) { return std::log(x); }
inline float __sinf(float x) { return std::sin(x); }
inline float __cosf(float x) { return std::cos(x); }
inline float __powf(float x, float y) { return std::pow(x, y); }
inline float __fdividef(float a, float b) { return a / b; }
inline float __saturatef(float x) { return std::fmin(std::fmax(x, 0.0f), 1.0f); }

inline unsigned __float_as_uint(float x) { return __builtin_bit_cast(unsigned, x); }
inline int __float_as_int(float x) { return __builtin_bit_cast(int, x); }
inline float __uint_as_float(unsigned x) { return __builtin_bit_cast(float, x); }
inline float __int_as_float(int x) { return __builtin_bit_cast(float, x); }
inline long long __double_as_longlong(double x) { return __builtin_bit_cast(long long, x); }
inline double __longlong_as_double(long long x) { return __builtin_bit_cast(double, x); }
inline float __double2float_rn(double x) { return static_cast<float>(x); }
inline float __int2float_rn(int x) { return static_cast<float>(x); }
inline float __uint2float_rn(unsigned x) { return static_cast<float>(x); }
inline double __int2double_rn(int x) { return x; }
inline float __ll2float_rn(long long x) { return static_cast<float>(x); }
inline int __float2int_rn(float x) { return static_cast<int>(std::nearbyint(x)); }
inline int __float2int_rz(float x) { return static_cast<int>(x); }

inline int __popc(unsigned x) { return __builtin_popcount(x); }
inline int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
inline int __clz(int x) { return x == 0 ? 32 : __builtin_clz(static_cast<unsigned>(x)); }
inline int __clzll(long long x) { return x == 0 ? 64 : __builtin_clzll(static_cast<unsigned long long>(x)); }
inline int __ffs(int x) { return __builtin_ffs(x); }
inline int __ffsll(long long x) { return __builtin_ffsll(x); }
inline unsigned __umulhi(unsigned a, unsigned b) { return static_cast<unsigned>((std::uint64_t{a} * b) >> 32); }
inline unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
  __extension__ using wide = unsigned __int128;
  return static_cast<unsigned long long>((static_cast<wide>(a) * b) >> 64);
}

template <class T>
inline T __ldg(const T* address) {
  return *address;
}

// CUDA has these as overloads in the global namespace.
template <class T>
constexpr T min(T a, T b) {
  return b < a ? b : a;
}
template <class T>
constexpr T max(T a, T b) {
  return a < b ? b : a;
}
