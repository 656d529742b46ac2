// atomics.h: atomic functions of CUDA and HIP. Those that exist for a type there exist for it here.
#pragma once
#include "gpusim/calls.h"

#define GPUSIM_ATOMIC(name, call, type)                                       \
  inline type name(type* address, type value) {                               \
    return ::gpusim::call_atomic(::gpusim::AtomicCall::call, address, value); \
  }
#define GPUSIM_INTEGERS(name, call)   \
  GPUSIM_ATOMIC(name, call, int)      \
  GPUSIM_ATOMIC(name, call, unsigned) \
  GPUSIM_ATOMIC(name, call, unsigned long long)

GPUSIM_INTEGERS(atomicAdd, add)
GPUSIM_ATOMIC(atomicAdd, add, float)
GPUSIM_ATOMIC(atomicAdd, add, double)
GPUSIM_ATOMIC(atomicSub, subtract, int)
GPUSIM_ATOMIC(atomicSub, subtract, unsigned)
GPUSIM_INTEGERS(atomicMin, minimum)
GPUSIM_INTEGERS(atomicMax, maximum)
GPUSIM_INTEGERS(atomicExch, exchange)
GPUSIM_ATOMIC(atomicExch, exchange, float)
GPUSIM_INTEGERS(atomicAnd, both_bits)
GPUSIM_INTEGERS(atomicOr, any_bits)
GPUSIM_INTEGERS(atomicXor, odd_bits)

#undef GPUSIM_INTEGERS
#undef GPUSIM_ATOMIC

inline int atomicCAS(int* address, int expected, int value) {
  return ::gpusim::call_compare_and_swap(address, expected, value);
}
inline unsigned atomicCAS(unsigned* address, unsigned expected, unsigned value) {
  return ::gpusim::call_compare_and_swap(address, expected, value);
}
inline unsigned long long atomicCAS(unsigned long long* address, unsigned long long expected,
                                    unsigned long long value) {
  return ::gpusim::call_compare_and_swap(address, expected, value);
}
