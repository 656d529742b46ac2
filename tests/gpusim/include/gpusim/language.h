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

// cmake/collect.cmake finds the kernels by these attributes in the preprocessed text; compilers do not know the second.
#define __global__ __attribute__((visibility("default"), noinline))
#if defined(GPUSIM_COLLECTING)
#define __launch_bounds__(...) __attribute__((gpusim_launch_bounds(__VA_ARGS__)))
#else
#define __launch_bounds__(...)
#endif
#define __device__
#define __host__
#define __constant__ static
#define __shared__ static thread_local
#define __forceinline__ inline __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __restrict__ __restrict

#define __syncthreads() ::gpusim::call_barrier(__FILE__, __LINE__)
inline void __threadfence() {}
inline void __threadfence_block() {}
