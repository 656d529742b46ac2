// variables.h: vectors of CUDA and HIP, and the variables that tell a thread who it is.
//
// The simulator sets these at each switch of threads. They are not const, or a compiler would keep them in registers
// across a barrier.
#pragma once

struct uint3 {
  unsigned x, y, z;
};

struct dim3 {
  unsigned x = 1, y = 1, z = 1;
};

#define GPUSIM_EXPORT __attribute__((visibility("default")))

extern GPUSIM_EXPORT uint3 threadIdx, blockIdx;
extern GPUSIM_EXPORT dim3 blockDim, gridDim;
extern GPUSIM_EXPORT int warpSize;
