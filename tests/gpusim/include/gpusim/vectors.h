// vectors.h: the vector types of CUDA and HIP, with their alignment (CUDA C++ Programming Guide, "Built-in Vector
// Types").
#pragma once
#include "gpusim/variables.h"

#define GPUSIM_VECTORS(type, name, align2, align4)                 \
  struct alignas(align2) name##2 {                                 \
    type x, y;                                                     \
  };                                                               \
  struct alignas(align4) name##4 {                                 \
    type x, y, z, w;                                               \
  };                                                               \
  inline name##2 make_##name##2(type x, type y) { return {x, y}; } \
  inline name##4 make_##name##4(type x, type y, type z, type w) { return {x, y, z, w}; }

GPUSIM_VECTORS(float, float, 8, 16)
GPUSIM_VECTORS(double, double, 16, 16)
GPUSIM_VECTORS(int, int, 8, 16)
GPUSIM_VECTORS(unsigned, uint, 8, 16)
GPUSIM_VECTORS(unsigned char, uchar, 2, 4)
GPUSIM_VECTORS(short, short, 4, 8)
GPUSIM_VECTORS(unsigned short, ushort, 4, 8)
GPUSIM_VECTORS(long long, longlong, 16, 16)
GPUSIM_VECTORS(unsigned long long, ulonglong, 16, 16)

#undef GPUSIM_VECTORS
