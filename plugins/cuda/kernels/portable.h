// portable.h: what the kernels need of their compiler, and the only file here that asks which one it is: nvcc, hipcc,
// or the host's compiler for the simulator of tests/gpusim.
//
// TENON_KERNEL(name, parameters...) { body }: an entry point, launched with at most block_threads threads.
//
// TENON_DEVICE: a function that kernels call. TENON_SHARED: memory that a block's threads share.
//
// threadIdx, blockIdx, blockDim, gridDim, __syncthreads: as CUDA has them.
//
// shuffle_xor(value, distance): every thread of the warp takes part, whatever the warp's width.
//
// fused(a, b, c): a * b + c, rounded once.
//
// The simulator's header defines all of it; its TENON_KERNEL also registers the function under its name. Nothing here
// holds anything; kernels read and write what their pointers say.
#pragma once
#include <cstdint>

#include "shapes.h"

#if defined(__CUDACC__) || defined(__HIPCC__)

#if defined(__HIPCC__)
#include <hip/hip_runtime.h>
#endif
#define TENON_SHARED __shared__
#define TENON_DEVICE __device__ inline
// ptxas, left to itself, would rather spill than let fewer than eight blocks share a multiprocessor; told that two are
// enough it keeps in registers what fits into 128. HIP's second bound is another one.
#if defined(__HIPCC__)
#define TENON_KERNEL(name, ...) \
  extern "C" __global__ __launch_bounds__(tenon::gpu::block_threads) void name(__VA_ARGS__)
#else
#define TENON_KERNEL(name, ...) \
  extern "C" __global__ __launch_bounds__(tenon::gpu::block_threads, 2) void name(__VA_ARGS__)
#endif

namespace tenon::gpu {

#if defined(__HIPCC__)
template <class T>
TENON_DEVICE T shuffle_xor(T value, int distance) {
  return __shfl_xor(value, distance);
}
#else
template <class T>
TENON_DEVICE T shuffle_xor(T value, int distance) {
  return __shfl_xor_sync(0xffffffffu, value, distance);
}
#endif

TENON_DEVICE float fused(float a, float b, float c) { return fmaf(a, b, c); }
TENON_DEVICE double fused(double a, double b, double c) { return fma(a, b, c); }

}  // namespace tenon::gpu

#else
#include "gpusim/device.h"
#endif

namespace tenon::gpu {

/// The number of this thread in the grid.
TENON_DEVICE std::uint64_t thread_number() { return std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; }

}  // namespace tenon::gpu
