// threads.h: what threads do together.
#pragma once
#include "msl/language.h"

extern "C" {
void msl_barrier(__constant const char* file, int line);
uint msl_atomic_or(void* at, uint value);
float msl_shuffle_xor(float value, int distance);
uint msl_width();
void msl_atomic_store(void* at, uint value);
}

namespace metal {

enum class mem_flags { mem_none = 0, mem_device = 1, mem_threadgroup = 2 };
enum memory_order { memory_order_relaxed };

/// Nobody but the functions below touches the value.
struct atomic_uint_of_metal {
  uint value;
};
#define MSL_ATOMICS(space)                                                                         \
  inline void atomic_store_explicit(space atomic_uint_of_metal* at, uint value, memory_order) {    \
    msl_atomic_store(&at->value, value);                                                           \
  }                                                                                                \
  inline uint atomic_load_explicit(space atomic_uint_of_metal* at, memory_order) {                 \
    return msl_atomic_or(&at->value, 0);                                                           \
  }                                                                                                \
  inline uint atomic_fetch_or_explicit(space atomic_uint_of_metal* at, uint value, memory_order) { \
    return msl_atomic_or(&at->value, value);                                                       \
  }
MSL_ATOMICS(device)
MSL_ATOMICS(threadgroup)
#undef MSL_ATOMICS

/// Of all threads of a SIMD-group, by halves.
inline float simd_sum(float x) {
  for (uint distance = msl_width() / 2; distance != 0; distance /= 2) x += msl_shuffle_xor(x, int(distance));
  return x;
}
inline float simd_max(float x) {
  for (uint distance = msl_width() / 2; distance != 0; distance /= 2)
    x = __builtin_fmaxf(x, msl_shuffle_xor(x, int(distance)));
  return x;
}

}  // namespace metal

#define atomic_uint metal::atomic_uint_of_metal
#define threadgroup_barrier(flags) msl_barrier(__FILE__, __LINE__)
