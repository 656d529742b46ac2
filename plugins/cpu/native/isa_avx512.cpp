// The kernels for AVX-512 (F, DQ, BW, VL). Nothing of this file may run before the machine is known to have that.
#include <immintrin.h>

#include "kernels.h"

#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx512f,avx512dq,avx512bw,avx512vl"))), apply_to = function)
#else
#pragma GCC target("avx512f,avx512dq,avx512bw,avx512vl")
#endif

namespace tenon::cpu::native::avx512 {

constexpr std::uint64_t vector_bytes = 64;

#include "loops/vectors.inc"

#include "loops/elementwise.inc"
#include "loops/products.inc"
#include "loops/sums.inc"

/// Multiplies and adds with one rounding.
struct Fused {
  template <class T>
  [[gnu::always_inline]] static void accumulate(Vector<T>& sum, T left, const Vector<T>& right) {
    if constexpr (sizeof(T) == sizeof(float))
      sum = _mm512_fmadd_ps(_mm512_set1_ps(left), right, sum);
    else
      sum = _mm512_fmadd_pd(_mm512_set1_pd(left), right, sum);
  }
};

#include "loops/table.inc"

template <class T>
const Kernels<T>& kernels();
template <>
const Kernels<float>& kernels() {
  return kernels_here<float>;
}
template <>
const Kernels<double>& kernels() {
  return kernels_here<double>;
}

}  // namespace tenon::cpu::native::avx512

#if defined(__clang__)
#pragma clang attribute pop
#endif
