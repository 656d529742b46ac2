// Pooling: each window of a plane becomes one element. Planes are independent; a thread has a window, or for a gradient
// an element, which looks for the windows that have it, in order.
#include "taps.h"
#include "tenon/numerics.h"

namespace tenon::gpu {
namespace {

/// Calls visit(input) for each tap of a window in order; in the padding with -1.
template <unsigned Axes, class Visit>
TENON_DEVICE void for_each_tap(const Taps<Axes>& taps, std::uint32_t window, const Visit& visit) {
  const Place<Axes> output = place_of<&TapAxis::outputs>(taps, window);
  for (std::uint32_t k = 0; k < static_cast<std::uint32_t>(taps.kernel); ++k)
    visit(input_of(taps, output, place_of<&TapAxis::kernel>(taps, k)));
}

/// The same without the padding.
template <unsigned Axes, class Visit>
TENON_DEVICE void for_each_input(const Taps<Axes>& taps, std::uint32_t window, const Visit& visit) {
  for_each_tap(taps, window, [&](std::int32_t input) {
    if (input >= 0) visit(input);
  });
}

/// Calls visit(window) for each window of a plane that has an element, in order. Kernels of pooling are not dilated, so
/// along an axis those are neighbours.
template <unsigned Axes, class Visit>
TENON_DEVICE void for_each_window(const Taps<Axes>& taps, std::uint32_t input, const Visit& visit) {
  const Place<Axes> place = place_of<&TapAxis::inputs>(taps, input);
  Place<Axes> first, count;
  std::uint32_t total = 1;
#pragma unroll
  for (unsigned axis = 0; axis < Axes; ++axis) {
    const TapAxis& a = taps.axis[axis];
    const std::int64_t end = place.at[axis] + a.padding, begin = end - a.kernel + 1;
    const std::int64_t lowest = begin <= 0 ? 0 : (begin + a.stride - 1) / a.stride;
    const std::int64_t beyond = end / a.stride + 1 < a.outputs ? end / a.stride + 1 : a.outputs;
    first.at[axis] = static_cast<std::int32_t>(lowest);
    count.at[axis] = static_cast<std::int32_t>(lowest < beyond ? beyond - lowest : 0);
    total *= static_cast<std::uint32_t>(count.at[axis]);
  }
  for (std::uint32_t n = 0; n < total; ++n) {
    std::uint32_t rest = n, window = 0, step = 1;
#pragma unroll
    for (unsigned axis = Axes; axis-- != 0;) {
      const auto size = static_cast<std::uint32_t>(count.at[axis]);
      window += (static_cast<std::uint32_t>(first.at[axis]) + rest % size) * step;
      step *= static_cast<std::uint32_t>(taps.axis[axis].outputs);
      rest /= size;
    }
    visit(window);
  }
}

/// This thread's place among planes of `size` elements.
struct Mine {
  std::uint64_t plane;
  std::uint32_t element;

  TENON_DEVICE static Mine of(std::int32_t size) {
    const std::uint64_t i = thread_number();
    return {i / size, static_cast<std::uint32_t>(i % size)};
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

template <class T, unsigned Axes>
TENON_DEVICE SmoothWindow<T> smooth_window(const Taps<Axes>& taps, std::uint32_t window, const T* from, T beta) {
  const bool up = beta > 0;
  SmoothWindow<T> found{up ? -infinity<T>() : infinity<T>(), 0};
  for_each_tap(taps, window, [&](std::int32_t i) {
    const T value = i < 0 ? T(0) : from[i];
    found.peak = up ? strict::maximum(found.peak, value) : strict::minimum(found.peak, value);
  });
  for_each_tap(taps, window, [&](std::int32_t i) {
    const T value = i < 0 ? T(0) : from[i];
    found.sum = found.sum + strict::exp(beta * (value - found.peak));
  });
  return found;
}

template <class T, unsigned Axes>
TENON_DEVICE void smooth_max_pool(const Taps<Axes>& taps, std::uint64_t planes, T* output, const T* x, T beta) {
  const Mine mine = Mine::of(taps.outputs);
  if (mine.plane >= planes) return;
  const SmoothWindow<T> window = smooth_window(taps, mine.element, x + mine.plane * taps.inputs, beta);
  output[thread_number()] = window.peak + strict::log(window.sum) / beta;
}

template <class T, unsigned Axes>
TENON_DEVICE void smooth_max_pool_windows(const Taps<Axes>& taps, std::uint64_t planes, T* peaks, T* sums, const T* x,
                                          T beta) {
  const Mine mine = Mine::of(taps.outputs);
  if (mine.plane >= planes) return;
  const SmoothWindow<T> window = smooth_window(taps, mine.element, x + mine.plane * taps.inputs, beta);
  peaks[thread_number()] = window.peak;
  sums[thread_number()] = window.sum;
}

template <class T, unsigned Axes>
TENON_DEVICE void smooth_max_pool_grad(const Taps<Axes>& taps, std::uint64_t planes, T* output, const T* x,
                                       const T* upstream, const T* peaks, const T* sums, T beta) {
  const Mine mine = Mine::of(taps.inputs);
  if (mine.plane >= planes) return;
  const std::uint64_t first = mine.plane * taps.outputs;
  const T value = x[thread_number()];
  T sum = 0;
  for_each_window(taps, mine.element, [&](std::uint32_t window) {
    const std::uint64_t w = first + window;
    sum = sum + upstream[w] * (strict::exp(beta * (value - peaks[w])) / sums[w]);
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
  }                                                                                                                    \
  TENON_KERNEL(smooth_max_pool_##axes##_##suffix, Taps<axes> taps, std::uint64_t planes, T* output, const T* x,        \
               T beta) {                                                                                               \
    smooth_max_pool(taps, planes, output, x, beta);                                                                    \
  }                                                                                                                    \
  TENON_KERNEL(smooth_max_pool_windows_##axes##_##suffix, Taps<axes> taps, std::uint64_t planes, T* peaks, T* sums,    \
               const T* x, T beta) {                                                                                   \
    smooth_max_pool_windows(taps, planes, peaks, sums, x, beta);                                                       \
  }                                                                                                                    \
  TENON_KERNEL(smooth_max_pool_grad_##axes##_##suffix, Taps<axes> taps, std::uint64_t planes, T* output, const T* x,   \
               const T* upstream, const T* peaks, const T* sums, T beta) {                                             \
    smooth_max_pool_grad(taps, planes, output, x, upstream, peaks, sums, beta);                                        \
  }

TENON_POOLS(float, f32, 2)
TENON_POOLS(float, f32, 6)
TENON_POOLS(double, f64, 2)
TENON_POOLS(double, f64, 6)
