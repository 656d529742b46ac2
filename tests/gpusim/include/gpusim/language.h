// language.h: the language of kernels, for a host's C++ compiler. Included before a .cu source that stays as it is.
//
// A kernel is a plain function; a shared variable is a thread_local one, since the threads of a block are fibers of one
// thread of the host, and since its symbol then tells it apart from everything else (core/library.h).
#pragma once
#include "gpusim/atomics.h"
#include "gpusim/calls.h"
#include "gpusim/intrinsics.h"
#include "gpusim/vectors.h"
#include "gpusim/warp.h"

#define TENON_GPUSIM 1

// cmake/GpusimKernels.cmake finds the kernels by this attribute in the preprocessed text.
#define __global__ __attribute__((visibility("default"), noinline))
#define __device__
#define __host__
#define __constant__ static
#define __shared__ static thread_local
#define __launch_bounds__(...)
#define __forceinline__ inline __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __restrict__ __restrict

#define __syncthreads() ::gpusim::call_barrier(__FILE__, __LINE__)
inline void __threadfence() {}
inline void __threadfence_block() {}
