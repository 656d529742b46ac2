// threads.h: what threads do together.
#pragma once
#include "msl/language.h"

extern "C" {
void msl_barrier(__constant const char* file, int line);
uint msl_atomic_or(void* at, uint value);
void msl_atomic_store(void* at, uint value);
}

namespace metal {

enum class mem_flags { mem_none = 0, mem_device = 1, mem_threadgroup = 2 };
enum memory_order { memory_order_relaxed };

/// Nobody but the functions below touches the value.
struct atomic_uint_of_metal {
  uint value;
};
#define MSL_ATOMICS(space)                                                                             \
  inline void atomic_store_explicit(space atomic_uint_of_metal* at, uint value, memory_order) {        \
    msl_atomic_store(&at->value, value);                                                            \
  }                                                                                                    \
  inline uint atomic_load_explicit(space atomic_uint_of_metal* at, memory_order) {                     \
    return msl_atomic_or(&at->value, 0);                                                               \
  }                                                                                                    \
  inline uint atomic_fetch_or_explicit(space atomic_uint_of_metal* at, uint value, memory_order) {     \
    return msl_atomic_or(&at->value, value);                                                           \
  }
MSL_ATOMICS(device)
MSL_ATOMICS(threadgroup)
#undef MSL_ATOMICS

}  // namespace metal

#define atomic_uint metal::atomic_uint_of_metal
#define threadgroup_barrier(flags) msl_barrier(__FILE__, __LINE__)
