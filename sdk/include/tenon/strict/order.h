// maximum, minimum and relu in the strict order of numbers: a NaN among the operands gives NaN, and -0 < +0.
//
// Ownership: none.  Threads: any.
#pragma once

#include "tenon/strict/base.h"

namespace tenon::strict {

template <class T>
TENON_DEVICE_FN constexpr T maximum(T a, T b) {
  if (a != a || b != b) return a + b;
  if (a == b) return detail::is_negative(a) ? b : a;  // they differ only if they are zeros
  return a < b ? b : a;
}

template <class T>
TENON_DEVICE_FN constexpr T minimum(T a, T b) {
  if (a != a || b != b) return a + b;
  if (a == b) return detail::is_negative(a) ? a : b;
  return a < b ? a : b;
}

// maximum(x, +0).
template <class T>
TENON_DEVICE_FN constexpr T relu(T x) {
  return x <= 0 ? T{0} : x;
}

}  // namespace tenon::strict
