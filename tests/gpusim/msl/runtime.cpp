// What a kernel compiled from .metal calls: it is linked into every library of such kernels.
#include <cmath>
#include <cstdint>

#include "gpusim/calls.h"
#include "msl/arithmetic.h"

extern "C" {

// One frame more than the core's own call, from which the calls of two barriers are told apart.
__attribute__((noinline)) void msl_barrier(const char* file, int line) {
  const msl::OffDevice away;
  gpusim::call_barrier(file, line);
}

std::uint32_t msl_atomic_or(std::uint32_t* at, std::uint32_t value) {
  const msl::OffDevice away;
  return gpusim::call_atomic(gpusim::AtomicCall::any_bits, at, value);
}
// Looked at as an ordinary write, which is stricter: the core's atomics read too, and this one may be the first.
#if GPUSIM_INSTRUMENTED
void __wrap___tsan_write4(void* at);
#endif
void msl_atomic_store(std::uint32_t* at, std::uint32_t value) {
#if GPUSIM_INSTRUMENTED
  __wrap___tsan_write4(at);
#endif
  *at = value;
}

float msl_shuffle_xor(float value, int distance) {
  const auto bits = __builtin_bit_cast(std::uint32_t, value);
  const msl::OffDevice away;
  const std::uint64_t other = gpusim::call_collective(gpusim::WarpCall::shuffle_xor, 0, false, bits, distance, 0);
  return __builtin_bit_cast(float, std::uint32_t(other));
}
std::uint32_t msl_width() { return std::uint32_t(warpSize); }

float msl_exp(float x) { return std::exp(x); }
float msl_log(float x) { return std::log(x); }
float msl_sin(float x) { return std::sin(x); }
float msl_cos(float x) { return std::cos(x); }
float msl_tanh(float x) { return std::tanh(x); }
}
