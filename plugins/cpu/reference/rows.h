// rows.h: what softmax, log_softmax, cross_entropy and attention do to one row, in one place so that their bits agree.
//
// Pure functions; any thread. A row has at least one element, but for masked_softmax_row.
#pragma once
#include <limits>

#include "tenon/numerics.h"

namespace tenon::cpu::reference {

template <class T>
T greatest(const T* x, std::uint64_t count) {
  T result = x[0];
  for (std::uint64_t i = 1; i < count; ++i) result = strict::maximum(result, x[i]);
  return result;
}

/// log of the sum of exp(x - greatest).
template <class T>
T log_of_sum(const T* x, std::uint64_t count, T greatest) {
  return strict::log(strict::tree_sum<T>(count, [=](std::uint64_t i) { return strict::exp(x[i] - greatest); }));
}

/// exp(x - m) / sum; `output` may be x.
template <class T>
void softmax_row(const T* x, T* output, std::uint64_t count) {
  const T m = greatest(x, count);
  for (std::uint64_t i = 0; i < count; ++i) output[i] = strict::exp(x[i] - m);
  const T sum = strict::tree_sum<T>(count, [=](std::uint64_t i) { return output[i]; });
  for (std::uint64_t i = 0; i < count; ++i) output[i] = output[i] / sum;
}

template <class T>
T greatest_allowed(const T* x, const T* mask, std::uint64_t count) {
  T result = -std::numeric_limits<T>::infinity();
  for (std::uint64_t i = 0; i < count; ++i) {
    if (mask[i] != 0) result = strict::maximum(result, x[i]);
  }
  return result;
}

/// softmax_row of the elements whose mask is not 0. What is 0 among the exponentials stays 0, whatever their sum:
/// blocked elements, and rows of nothing else. `output` may be x or the mask.
template <class T>
void masked_softmax_row(const T* x, const T* mask, T* output, std::uint64_t count) {
  const T m = greatest_allowed(x, mask, count);
  for (std::uint64_t i = 0; i < count; ++i) output[i] = mask[i] != 0 ? strict::exp(x[i] - m) : T(0);
  const T sum = strict::tree_sum<T>(count, [=](std::uint64_t i) { return output[i]; });
  for (std::uint64_t i = 0; i < count; ++i) output[i] = output[i] == 0 ? T(0) : output[i] / sum;
}

}  // namespace tenon::cpu::reference
