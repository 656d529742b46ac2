// threads.h: what threads do together.
#pragma once
#include "msl/language.h"

extern "C" {
void msl_barrier(__constant const char* file, int line);
uint msl_atomic_or(void* at, uint value);
uint msl_atomic_exchange(void* at, uint value);
}

namespace metal {

enum class mem_flags { mem_none = 0, mem_device = 1, mem_threadgroup = 2 };
enum memory_order { memory_order_relaxed };

struct atomic_uint_of_metal {
  uint value;
};

}  // namespace metal

#define atomic_uint metal::atomic_uint_of_metal
#define threadgroup_barrier(flags) msl_barrier(__FILE__, __LINE__)
