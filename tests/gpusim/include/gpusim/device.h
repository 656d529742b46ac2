// device.h: the simulator's part of plugins/cuda/kernels/portable.h, whose names it defines.
#pragma once
#include <bit>
#include <cfloat>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>

#include "gpusim/language.h"

// `__shared__ alignas(16) float x[4]` is well-formed where __shared__ is an attribute, and not where it is `static`.
// The attribute may stand anywhere. The standard's headers, which use alignas with types, are included above.
#define alignas(bytes) __attribute__((aligned(bytes)))

#define TENON_SHARED __shared__
#define TENON_DEVICE __device__ inline
#define TENON_KERNEL(name, ...) \
  extern "C" __global__ __launch_bounds__(tenon::gpu::block_threads) void name(__VA_ARGS__)

namespace tenon::gpu {

// As CUDA has it, which wants every lane of the warp, though HIP is content with those that a value is taken from.
template <class T>
TENON_DEVICE T shuffle_xor(T value, int distance) {
  return __shfl_xor_sync(~std::uint64_t{0}, value, distance);
}

TENON_DEVICE float fused(float a, float b, float c) { return std::fma(a, b, c); }
TENON_DEVICE double fused(double a, double b, double c) { return std::fma(a, b, c); }

}  // namespace tenon::gpu
