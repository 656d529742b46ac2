// Pooling: each window of a plane becomes one element. Planes are independent; a thread has a window, or for a gradient
// an element, which looks for the windows that have it, in order.
#include "divide.h"
#include "mathematics.h"
#include "taps.h"

namespace tenon::gpu {
namespace {

/// Calls visit(input) for each tap of a window in order; in the padding with -1.
template <unsigned Axes, class Visit>
TENON_DEVICE void for_each_tap(const Taps<Axes>& taps, std::uint32_t window, const Visit& visit) {
  const Point<Axes> corner = corner_of(taps, place_of<&TapExtents::outputs>(taps, window));
  Place<Axes> kernel{};
  for (std::int32_t k = 0; k < taps.kernel; ++k, advance<&TapExtents::kernel>(taps, kernel))
    visit(input_at(taps, corner, reach_of(taps, kernel)));
}

/// The same without the padding.
template <unsigned Axes, class Visit>
TENON_DEVICE void for_each_input(const Taps<Axes>& taps, std::uint32_t window, const Visit& visit) {
  for_each_tap(taps, window, [&](std::int32_t input) {
    if (input >= 0) visit(input);
  });
}

/// The next place of a box, row-major; false where there is none.
template <unsigned Axes>
TENON_DEVICE bool next(Place<Axes>& place, const Place<Axes>& first, const Place<Axes>& beyond) {
  bool carry = true;
#pragma unroll
  for (unsigned axis = Axes; axis-- != 0;) {
    if (!carry) continue;
    carry = ++place.at[axis] == beyond.at[axis];
    if (carry) place.at[axis] = first.at[axis];
  }
  return !carry;
}

/// Calls visit(window) for each window of a plane that has an element, in order. Kernels of pooling are not dilated, so
/// along an axis those are neighbours.
template <unsigned Axes, class Visit>
TENON_DEVICE void for_each_window(const Taps<Axes>& taps, std::uint32_t input, const Visit& visit) {
  using Number = typename Taps<Axes>::Number;
  const Point<Axes> place = padded(taps, place_of<&TapExtents::inputs>(taps, input));
  Place<Axes> first, beyond;
#pragma unroll
  for (unsigned axis = 0; axis < Axes; ++axis) {
    const auto& a = taps.axis[axis];
    const Number end = place.at[axis], begin = end - a.kernel + 1, last = end / a.stride;
    first.at[axis] = static_cast<std::int32_t>(begin <= 0 ? 0 : (begin - 1) / a.stride + 1);
    beyond.at[axis] = last < a.outputs ? static_cast<std::int32_t>(last) + 1 : a.outputs;
    if (first.at[axis] >= beyond.at[axis]) return;
  }
  Place<Axes> at = first;
  bool more = true;
  while (more) {
    std::uint32_t window = 0;
#pragma unroll
    for (unsigned axis = 0; axis < Axes; ++axis)
      window = window * static_cast<std::uint32_t>(taps.axis[axis].outputs) + static_cast<std::uint32_t>(at.at[axis]);
    visit(window);
    more = next(at, first, beyond);
  }
}

/// This thread's place among planes of `size` elements.
struct Mine {
  std::uint64_t plane;
  std::uint32_t element;

  TENON_DEVICE static Mine of(std::int32_t size) {
    const Division at = divide(thread_number(), static_cast<std::uint32_t>(size));
    return {at.quotient, static_cast<std::uint32_t>(at.rest)};
  }
};

template <class T>
TENON_DEVICE T infinity() {
  return static_cast<T>(strict::detail::kInfinity);
}

template <class T, unsigned Axes>
TENON_DEVICE void max_pool(const Taps<Axes>& taps, std::uint64_t planes, T* output, const T* x) {
  const Mine mine = Mine::of(taps.outputs);
  if (mine.plane >= planes) return;
  const T* from = x + mine.plane * taps.inputs;
  T greatest = -infinity<T>();
  for_each_input(taps, mine.element, [&](std::int32_t i) { greatest = strict::maximum(greatest, from[i]); });
  output[thread_number()] = greatest;
}

/// Which input each window has found greatest, first; -1 in a window of padding alone. NaN beats any number.
template <class T, unsigned Axes>
TENON_DEVICE void max_pool_winners(const Taps<Axes>& taps, std::uint64_t planes, std::int32_t* winners, const T* x) {
  const Mine mine = Mine::of(taps.outputs);
  if (mine.plane >= planes) return;
  const T* from = x + mine.plane * taps.inputs;
  std::int32_t winner = -1;
  T best = 0;
  for_each_input(taps, mine.element, [&](std::int32_t i) {
    const T candidate = from[i];
    if (winner >= 0 && !(candidate > best || (candidate != candidate && best == best))) return;
    winner = i;
    best = candidate;
  });
  winners[thread_number()] = winner;
}

template <class T, unsigned Axes>
TENON_DEVICE void max_pool_grad(const Taps<Axes>& taps, std::uint64_t planes, T* output, const T* upstream,
                                const std::int32_t* winners) {
  const Mine mine = Mine::of(taps.inputs);
  if (mine.plane >= planes) return;
  const T* above = upstream + mine.plane * taps.outputs;
  const std::int32_t* won = winners + mine.plane * taps.outputs;
  T sum = 0;
  for_each_window(taps, mine.element, [&](std::uint32_t window) {
    if (won[window] == static_cast<std::int32_t>(mine.element)) sum = sum + above[window];
  });
  output[thread_number()] = sum;
}

/// `elements` are all of the kernel's, though the host has cut off what only ever meets the padding.
template <class T, unsigned Axes>
TENON_DEVICE void avg_pool(const Taps<Axes>& taps, std::uint64_t planes, T* output, const T* x, T elements) {
  const Mine mine = Mine::of(taps.outputs);
  if (mine.plane >= planes) return;
  const T* from = x + mine.plane * taps.inputs;
  T sum = 0;
  for_each_input(taps, mine.element, [&](std::int32_t i) { sum = sum + from[i]; });
  output[thread_number()] = sum / elements;
}

template <class T, unsigned Axes>
TENON_DEVICE void avg_pool_grad(const Taps<Axes>& taps, std::uint64_t planes, T* output, const T* upstream,
                                T elements) {
  const Mine mine = Mine::of(taps.inputs);
  if (mine.plane >= planes) return;
  const T* above = upstream + mine.plane * taps.outputs;
  T sum = 0;
  for_each_window(taps, mine.element, [&](std::uint32_t window) { sum = sum + above[window] / elements; });
  output[thread_number()] = sum;
}

/// Of a window: p, its greatest element (where beta < 0 its least), and the sum of exp(beta (x - p)). A tap in the
/// padding is a 0 like any other.
template <class T>
struct SmoothWindow {
  T peak, sum;
};

template <class Math, class T, unsigned Axes>
TENON_DEVICE SmoothWindow<T> smooth_window(const Taps<Axes>& taps, std::uint32_t window, const T* from, T beta) {
  const bool up = beta > 0;
  SmoothWindow<T> found{up ? -infinity<T>() : infinity<T>(), 0};
  for_each_tap(taps, window, [&](std::int32_t i) {
    const T value = i < 0 ? T(0) : from[i];
    found.peak = up ? strict::maximum(found.peak, value) : strict::minimum(found.peak, value);
  });
  for_each_tap(taps, window, [&](std::int32_t i) {
    const T value = i < 0 ? T(0) : from[i];
    found.sum = found.sum + Math::exp(beta * (value - found.peak));
  });
  return found;
}

template <class Math, class T, unsigned Axes>
TENON_DEVICE void smooth_max_pool(const Taps<Axes>& taps, std::uint64_t planes, T* output, const T* x, T beta) {
  const Mine mine = Mine::of(taps.outputs);
  if (mine.plane >= planes) return;
  const SmoothWindow<T> window = smooth_window<Math>(taps, mine.element, x + mine.plane * taps.inputs, beta);
  output[thread_number()] = window.peak + Math::log(window.sum) / beta;
}

template <class Math, class T, unsigned Axes>
TENON_DEVICE void smooth_max_pool_windows(const Taps<Axes>& taps, std::uint64_t planes, T* peaks, T* sums, const T* x,
                                          T beta) {
  const Mine mine = Mine::of(taps.outputs);
  if (mine.plane >= planes) return;
  const SmoothWindow<T> window = smooth_window<Math>(taps, mine.element, x + mine.plane * taps.inputs, beta);
  peaks[thread_number()] = window.peak;
  sums[thread_number()] = window.sum;
}

template <class Math, class T, unsigned Axes>
TENON_DEVICE void smooth_max_pool_grad(const Taps<Axes>& taps, std::uint64_t planes, T* output, const T* x,
                                       const T* upstream, const T* peaks, const T* sums, T beta) {
  const Mine mine = Mine::of(taps.inputs);
  if (mine.plane >= planes) return;
  const std::uint64_t first = mine.plane * taps.outputs;
  const T value = x[thread_number()];
  T sum = 0;
  for_each_window(taps, mine.element, [&](std::uint32_t window) {
    const std::uint64_t w = first + window;
    sum = sum + upstream[w] * (Math::exp(beta * (value - peaks[w])) / sums[w]);
  });
  output[thread_number()] = sum;
}

}  // namespace
}  // namespace tenon::gpu

using namespace tenon::gpu;

#define TENON_POOLS(T, suffix, axes)                                                                                   \
  TENON_KERNEL(max_pool_##axes##_##suffix, Taps<axes> taps, std::uint64_t planes, T* output, const T* x) {             \
    max_pool(taps, planes, output, x);                                                                                 \
  }                                                                                                                    \
  TENON_KERNEL(max_pool_winners_##axes##_##suffix, Taps<axes> taps, std::uint64_t planes, std::int32_t* winners,       \
               const T* x) {                                                                                           \
    max_pool_winners(taps, planes, winners, x);                                                                        \
  }                                                                                                                    \
  TENON_KERNEL(max_pool_grad_##axes##_##suffix, Taps<axes> taps, std::uint64_t planes, T* output, const T* upstream,   \
               const std::int32_t* winners) {                                                                          \
    max_pool_grad(taps, planes, output, upstream, winners);                                                            \
  }                                                                                                                    \
  TENON_KERNEL(avg_pool_##axes##_##suffix, Taps<axes> taps, std::uint64_t planes, T* output, const T* x, T elements) { \
    avg_pool(taps, planes, output, x, elements);                                                                       \
  }                                                                                                                    \
  TENON_KERNEL(avg_pool_grad_##axes##_##suffix, Taps<axes> taps, std::uint64_t planes, T* output, const T* upstream,   \
               T elements) {                                                                                           \
    avg_pool_grad(taps, planes, output, upstream, elements);                                                           \
  }

#define TENON_SMOOTH_POOLS(Math, T, suffix, name, axes)                                                               \
  TENON_KERNEL(smooth_max_pool_##name##axes##_##suffix, Taps<axes> taps, std::uint64_t planes, T* output, const T* x, \
               T beta) {                                                                                              \
    smooth_max_pool<Math>(taps, planes, output, x, beta);                                                             \
  }                                                                                                                   \
  TENON_KERNEL(smooth_max_pool_windows_##name##axes##_##suffix, Taps<axes> taps, std::uint64_t planes, T* peaks,      \
               T* sums, const T* x, T beta) {                                                                         \
    smooth_max_pool_windows<Math>(taps, planes, peaks, sums, x, beta);                                                \
  }                                                                                                                   \
  TENON_KERNEL(smooth_max_pool_grad_##name##axes##_##suffix, Taps<axes> taps, std::uint64_t planes, T* output,        \
               const T* x, const T* upstream, const T* peaks, const T* sums, T beta) {                                \
    smooth_max_pool_grad<Math>(taps, planes, output, x, upstream, peaks, sums, beta);                                 \
  }

TENON_POOLS(float, f32, 2)
TENON_POOLS(float, f32, 6)
TENON_POOLS(double, f64, 2)
TENON_POOLS(double, f64, 6)
TENON_SMOOTH_POOLS(Strict, float, f32, , 2)
TENON_SMOOTH_POOLS(Strict, float, f32, , 6)
TENON_SMOOTH_POOLS(Strict, double, f64, , 2)
TENON_SMOOTH_POOLS(Strict, double, f64, , 6)
TENON_SMOOTH_POOLS(Fast, float, f32, fast_, 2)
TENON_SMOOTH_POOLS(Fast, float, f32, fast_, 6)
