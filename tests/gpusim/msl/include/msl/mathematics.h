// mathematics.h: functions of numbers. What Metal computes approximately is exact here, or nearly so.
#pragma once
#include "msl/language.h"

extern "C" {
float msl_exp(float);
float msl_log(float);
float msl_sin(float);
float msl_cos(float);
float msl_tanh(float);
}

namespace metal {

#define MSL_INTEGERS(type, leading_zeros)                   \
  inline type max(type a, type b) { return a < b ? b : a; } \
  inline type min(type a, type b) { return b < a ? b : a; } \
  inline type clz(type x) { return x == 0 ? type(8 * sizeof x) : type(leading_zeros(x)); }
MSL_INTEGERS(int, __builtin_clz)
MSL_INTEGERS(uint, __builtin_clz)
MSL_INTEGERS(long, __builtin_clzl)
MSL_INTEGERS(ulong, __builtin_clzl)
#undef MSL_INTEGERS

inline bool any(int4 x) { return (x.x | x.y | x.z | x.w) != 0; }
inline bool all(int4 x) { return (x.x & x.y & x.z & x.w) != 0; }

inline float fma(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
inline float4 fma(float4 a, float4 b, float4 c) {
  return float4(fma(a.x, b.x, c.x), fma(a.y, b.y, c.y), fma(a.z, b.z, c.z), fma(a.w, b.w, c.w));
}
inline float sqrt(float x) { return __builtin_sqrtf(x); }
inline float floor(float x) { return __builtin_floorf(x); }
inline float fabs(float x) { return __builtin_fabsf(x); }
inline float max(float a, float b) { return __builtin_fmaxf(a, b); }
inline float min(float a, float b) { return __builtin_fminf(a, b); }
inline float exp(float x) { return msl_exp(x); }
inline float log(float x) { return msl_log(x); }
inline float sin(float x) { return msl_sin(x); }
inline float cos(float x) { return msl_cos(x); }
inline float tanh(float x) { return msl_tanh(x); }

}  // namespace metal
