#include "gpusim/calls.h"

#include <algorithm>
#include <type_traits>

#include "block.h"

uint3 threadIdx, blockIdx;
dim3 blockDim, gridDim;
int warpSize = 32;

namespace gpusim {
namespace {

template <class T>
T applied(AtomicCall call, T old, T value) {
  switch (call) {
    case AtomicCall::add:
      return old + value;
    case AtomicCall::subtract:
      return old - value;
    case AtomicCall::minimum:
      return std::min(old, value);
    case AtomicCall::maximum:
      return std::max(old, value);
    case AtomicCall::exchange:
      return value;
    default:
      break;
  }
  if constexpr (std::is_integral_v<T>) {
    if (call == AtomicCall::both_bits) return old & value;
    if (call == AtomicCall::any_bits) return old | value;
    return old ^ value;
  }
  return value;
}

template <class T>
void begin_atomic(T* address, const void* code) {
  Block& block = *Block::running();
  block.before_atomic();
  block.access_atomic(address, sizeof(T), code);
}

}  // namespace

void call_barrier(const char* file, int line) {
  Block::running()->barrier(file, line, static_cast<void**>(__builtin_frame_address(0)));
}

std::uint64_t call_collective(WarpCall call, std::uint64_t mask, bool masked, std::uint64_t value, int argument,
                              int width) {
  return Block::running()->collective(Collective(call), mask, masked, value, argument, width,
                                      static_cast<void**>(__builtin_frame_address(0)));
}

void* call_dynamic_shared() { return Block::running()->dynamic_shared(); }

unsigned call_lane() { return Block::running()->lane(); }

template <class T>
T call_atomic(AtomicCall call, T* address, T value) {
  begin_atomic(address, __builtin_return_address(0));
  const T old = *address;
  *address = applied(call, old, value);
  return old;
}

template <class T>
T call_compare_and_swap(T* address, T expected, T value) {
  begin_atomic(address, __builtin_return_address(0));
  const T old = *address;
  if (old == expected) *address = value;
  return old;
}

template int call_atomic(AtomicCall, int*, int);
template unsigned call_atomic(AtomicCall, unsigned*, unsigned);
template unsigned long long call_atomic(AtomicCall, unsigned long long*, unsigned long long);
template float call_atomic(AtomicCall, float*, float);
template double call_atomic(AtomicCall, double*, double);
template int call_compare_and_swap(int*, int, int);
template unsigned call_compare_and_swap(unsigned*, unsigned, unsigned);
template unsigned long long call_compare_and_swap(unsigned long long*, unsigned long long, unsigned long long);

}  // namespace gpusim
