// pooling.h: each window of the spatial axes becomes one element; batch first, channels second.
#pragma once
#include "tenon/op/window.h"

// clang-format off
#define TENON_POOLING_OPS(TENON_OP) \
  TENON_OP(max_pool, (x), (), (), Pool, plain, "greatest element of each window; NaN if one is; padding takes no part") \
  TENON_OP(max_pool_grad, (x, upstream), (), (), Pool, internal, "upstream of each window at its first greatest element, else 0") \
  TENON_OP(avg_pool, (x), (), (), Pool, plain, "sum of each window, padded with 0, / number of the kernel's elements") \
  TENON_OP(avg_pool_grad, (x, upstream), (), (), Pool, internal, "avg_pool's gradient for x, of which the shape alone matters") \
  TENON_OP(smooth_max_pool, (x), (), (), SmoothPool, plain, "p + log(sum exp(beta (x - p))) / beta of each window, padded with 0; p is its maximum, or its minimum where beta < 0") \
  TENON_OP(smooth_max_pool_grad, (x, upstream), (), (), SmoothPool, internal, "upstream of each window times the softmax of beta x over its elements")
// clang-format on

namespace tenon::rule {

/// False, and words, unless the pool's numbers are some for x; PyTorch too limits the padding to half the kernel, so
/// that every window has an element of x.
constexpr bool fits_axes(const Pool& pool, const Shape& x, Message& why) {
  const int axes = x.rank - 2;
  if (axes < 1) return refuse(why, "expected (batch, channels, spatial...)"), false;
  if (pool.kernel.rank == 0) return refuse(why, "the kernel has no extents"), false;
  if (!one_per_axis("kernel", pool.kernel, axes, 1, why) || !one_per_axis("stride", pool.stride, axes, 1, why) ||
      !one_per_axis("padding", pool.padding, axes, 0, why))
    return false;
  if (!checked_elements(pool.kernel)) return refuse(why, "kernel ", pool.kernel, " has too many elements"), false;
  for (int axis = 0; axis < pool.padding.rank; ++axis)
    if (pool.padding[axis] > pool.kernel[axis] / 2)
      return refuse(why, "padding ", pool.padding, " exceeds half of kernel ", pool.kernel), false;
  return true;
}

constexpr Shape avg_pool(In in, const Attributes& attributes, Message& why) {
  const Pool& pool = std::get<Pool>(attributes);
  if (!fits_axes(pool, in[0], why)) return {};
  return in[0].first(2) + swept(in[0].from(2), pool.kernel, pool, outputs_along, why);
}

constexpr Shape max_pool(In in, const Attributes& attributes, Message& why) {
  const Shape out = avg_pool(in, attributes, why);
  if (why.empty() && known_elements(in[0].from(2)) == 0) return refuse(why, "no elements have no maximum");
  return out;
}

constexpr Shape max_pool_grad(In in, const Attributes& attributes, Message& why) {
  const Shape expected = max_pool(in, attributes, why);
  if (why.empty() && !agree(expected, in[1])) refuse(why, "upstream must have shape ", expected);
  return in[0];
}

constexpr Shape avg_pool_grad(In in, const Attributes& attributes, Message& why) {
  const Shape expected = avg_pool(in, attributes, why);
  if (why.empty() && !agree(expected, in[1])) refuse(why, "upstream must have shape ", expected);
  return in[0];
}

constexpr Pool windows_of(const SmoothPool& pool) { return {pool.kernel, pool.stride, pool.padding}; }

/// Padded taps take part, so each element of the kernel is work for each window.
inline constexpr Extent most_smoothed = Extent{1} << 20;

constexpr Shape smooth_max_pool(In in, const Attributes& attributes, Message& why) {
  const SmoothPool& pool = std::get<SmoothPool>(attributes);
  if (const auto size = checked_elements(pool.kernel); size && *size > most_smoothed)
    return refuse(why, "kernel ", pool.kernel, " has more than ", most_smoothed, " elements");
  const double size = pool.beta < 0 ? -pool.beta : pool.beta;
  if (!(size > 0 && size <= std::numeric_limits<double>::max())) return refuse(why, "beta must be finite and not 0");
  return avg_pool(in, windows_of(pool), why);
}

constexpr Shape smooth_max_pool_grad(In in, const Attributes& attributes, Message& why) {
  const Shape expected = smooth_max_pool(in, attributes, why);
  if (why.empty() && !agree(expected, in[1])) refuse(why, "upstream must have shape ", expected);
  return in[0];
}

}  // namespace tenon::rule
