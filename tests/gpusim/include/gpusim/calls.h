// calls.h: what a kernel's code calls in the simulator. Only language.h and its parts include this.
#pragma once
#include <cstddef>
#include <cstdint>

#include "gpusim/variables.h"

namespace gpusim {

// In the order of gpusim::Collective.
enum class WarpCall : std::uint8_t { shuffle, shuffle_up, shuffle_down, shuffle_xor, ballot, sync };

GPUSIM_EXPORT void call_barrier(const char* file, int line);
GPUSIM_EXPORT std::uint64_t call_collective(WarpCall call, std::uint64_t mask, bool masked, std::uint64_t value,
                                            int argument, int width);
GPUSIM_EXPORT void* call_dynamic_shared();
GPUSIM_EXPORT unsigned call_lane();

enum class AtomicCall : std::uint8_t { add, subtract, minimum, maximum, exchange, both_bits, any_bits, odd_bits };

/// One indivisible access. For the types that CUDA and HIP both have.
template <class T>
GPUSIM_EXPORT T call_atomic(AtomicCall call, T* address, T value);
template <class T>
GPUSIM_EXPORT T call_compare_and_swap(T* address, T expected, T value);

}  // namespace gpusim
