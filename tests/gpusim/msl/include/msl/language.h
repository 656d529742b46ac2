// language.h: types, qualifiers and constructors.
//
// Literals: the front end is told that those without a suffix are binary32 (-cl-single-precision-constant).
#pragma once

#define __METAL_VERSION__ 300

#pragma OPENCL EXTENSION __cl_clang_function_pointers : enable

// `constant` is a word of OpenCL too, and `kernel` alone.
#define device __global
#define threadgroup __local
#define thread __private

typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;
typedef unsigned long size_t;

#define MSL_VECTORS(type)                                                             \
  typedef type type##2 __attribute__((ext_vector_type(2)));                           \
  typedef type type##3 __attribute__((ext_vector_type(3)));                           \
  typedef type type##4 __attribute__((ext_vector_type(4)));                           \
  inline type##2 msl_##type##2(type x) { return (type##2)(x); }                       \
  inline type##3 msl_##type##3(type x) { return (type##3)(x); }                       \
  inline type##4 msl_##type##4(type x) { return (type##4)(x); }                       \
  inline type##2 msl_##type##2(type x, type y) { return (type##2)(x, y); }            \
  inline type##3 msl_##type##3(type x, type y, type z) { return (type##3)(x, y, z); } \
  inline type##4 msl_##type##4(type x, type y, type z, type w) { return (type##4)(x, y, z, w); }
MSL_VECTORS(float)
MSL_VECTORS(int)
MSL_VECTORS(uint)
MSL_VECTORS(long)
MSL_VECTORS(ulong)
#undef MSL_VECTORS

// A vector is made by a call of its type, for which this front end has other words.
#define float2(...) msl_float2(__VA_ARGS__)
#define float3(...) msl_float3(__VA_ARGS__)
#define float4(...) msl_float4(__VA_ARGS__)
#define int2(...) msl_int2(__VA_ARGS__)
#define int3(...) msl_int3(__VA_ARGS__)
#define int4(...) msl_int4(__VA_ARGS__)
#define uint2(...) msl_uint2(__VA_ARGS__)
#define uint3(...) msl_uint3(__VA_ARGS__)
#define uint4(...) msl_uint4(__VA_ARGS__)

#define INFINITY __builtin_inff()

namespace metal {

template <class To, class From>
inline To as_type(From from) {
  static_assert(sizeof(To) == sizeof(From), "as_type keeps the size");
  return __builtin_bit_cast(To, from);
}

}  // namespace metal
