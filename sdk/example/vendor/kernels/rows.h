// rows.h: softmax of one row, and what the loss needs of it. Pure functions; any thread.
#pragma once
#include "tenon/numerics.h"

namespace acme {

inline float greatest(const float* x, std::uint64_t count) {
  float result = x[0];
  for (std::uint64_t i = 1; i < count; ++i) result = tenon::strict::maximum(result, x[i]);
  return result;
}

/// exp(x - m) over their sum, m the greatest of x.
inline void softmax_row(const float* x, float* output, std::uint64_t count) {
  const float m = greatest(x, count);
  for (std::uint64_t i = 0; i < count; ++i) output[i] = tenon::strict::exp(x[i] - m);
  const float sum = tenon::strict::tree_sum<float>(count, [&](std::uint64_t i) { return output[i]; });
  for (std::uint64_t i = 0; i < count; ++i) output[i] = output[i] / sum;
}

/// Minus the logarithm of what softmax gives for the label.
inline float row_loss(const float* x, std::uint64_t count, std::uint64_t label) {
  const float m = greatest(x, count);
  const float sum =
      tenon::strict::tree_sum<float>(count, [&](std::uint64_t i) { return tenon::strict::exp(x[i] - m); });
  return -((x[label] - m) - tenon::strict::log(sum));
}

}  // namespace acme
