// Normalisers: every row along the last axis becomes a distribution, or its logarithm, or gets another mean and
// variance.
#include "divide.h"
#include "map.h"
#include "row_rules.h"

namespace tenon::gpu {
namespace {

template <class Math, class T>
TENON_DEVICE void softmax(std::uint64_t rows, std::uint64_t length, T* output, const T* x) {
  for_my_row<T>(rows, length, [=](const auto& team, std::uint64_t row) {
    T* to = output + row * length;
    const T sum = exponentials<Math>(team, to, x + row * length);
    team.each([=](std::uint64_t i) { to[i] = to[i] / sum; });
  });
}

template <class Math, class T>
TENON_DEVICE void log_softmax(std::uint64_t rows, std::uint64_t length, T* output, const T* x) {
  for_my_row<T>(rows, length, [=](const auto& team, std::uint64_t row) {
    const T* from = x + row * length;
    T* to = output + row * length;
    const LogSum<T> s = log_sum<Math>(team, from);
    team.each([=](std::uint64_t i) { to[i] = (from[i] - s.greatest) - s.log_of_sum; });
  });
}

template <class T>
TENON_DEVICE void softmax_vjp(std::uint64_t rows, std::uint64_t length, T* output, const T* y, const T* upstream) {
  for_my_row<T>(rows, length, [=](const auto& team, std::uint64_t row) {
    const T *of = y + row * length, *above = upstream + row * length;
    T* to = output + row * length;
    const T sum = team.sum([=](std::uint64_t i) { return above[i] * of[i]; });
    team.each([=](std::uint64_t i) { to[i] = of[i] * (above[i] - sum); });
  });
}

template <class Math, class T>
TENON_DEVICE void log_softmax_vjp(std::uint64_t rows, std::uint64_t length, T* output, const T* y, const T* upstream) {
  for_my_row<T>(rows, length, [=](const auto& team, std::uint64_t row) {
    const T *of = y + row * length, *above = upstream + row * length;
    T* to = output + row * length;
    const T sum = team.sum([=](std::uint64_t i) { return above[i]; });
    team.each([=](std::uint64_t i) { to[i] = above[i] - Math::exp(of[i]) * sum; });
  });
}

template <class Math, class T>
TENON_DEVICE void hard_masked_softmax(std::uint64_t rows, std::uint64_t length, T* output, const T* x, const T* mask) {
  for_my_row<T>(rows, length, [=](const auto& team, std::uint64_t row) {
    const T* from = x + row * length;
    masked_softmax<Math>(
        team, output + row * length, [=](std::uint64_t i) { return from[i]; }, mask + row * length);
  });
}

template <class T>
TENON_DEVICE void layer_norm(std::uint64_t rows, std::uint64_t length, T* output, const T* x, const T* weight,
                             const T* bias, T epsilon) {
  for_my_row<T>(rows, length, [=](const auto& team, std::uint64_t row) {
    const T* from = x + row * length;
    T* to = output + row * length;
    const T count = static_cast<T>(length);
    const T mean = team.sum([=](std::uint64_t i) { return from[i]; }) / count;
    const T squares = team.sum([=](std::uint64_t i) { return (from[i] - mean) * (from[i] - mean); });
    const T deviation = strict::sqrt(squares / count + epsilon);
    team.each([=](std::uint64_t i) { to[i] = (from[i] - mean) / deviation * weight[i] + bias[i]; });
  });
}

/// x is planes of one channel each, the channels in turn; a thread for each element, or for each pack of them where
/// planes are whole packs.
template <class T>
TENON_DEVICE void batch_norm(std::uint64_t n, std::uint64_t channels, std::uint64_t plane, T* output, const T* x,
                             const T* mean, const T* variance, const T* weight, const T* bias, T epsilon) {
  constexpr unsigned width = Pack<T>::width;
  const bool packs = plane % width == 0;
  const std::uint64_t i = thread_number();
  if (i >= (packs ? n / width : n)) return;
  const std::uint64_t channel = divide(divide(i, packs ? plane / width : plane).quotient, channels).rest;
  const T deviation = strict::sqrt(variance[channel] + epsilon);
  const auto normalised = [=](T value) {
    return (value - mean[channel]) / deviation * weight[channel] + bias[channel];
  };
  if (packs)
    store_pack(output, i, apply<T>(normalised, load_pack(x, i)));
  else
    output[i] = normalised(x[i]);
}

}  // namespace
}  // namespace tenon::gpu

using namespace tenon::gpu;

#define TENON_NORMALISERS(T, suffix)                                                                                  \
  TENON_KERNEL(softmax_##suffix, std::uint64_t rows, std::uint64_t length, T* output, const T* x) {                   \
    softmax<Strict>(rows, length, output, x);                                                                         \
  }                                                                                                                   \
  TENON_KERNEL(log_softmax_##suffix, std::uint64_t rows, std::uint64_t length, T* output, const T* x) {               \
    log_softmax<Strict>(rows, length, output, x);                                                                     \
  }                                                                                                                   \
  TENON_KERNEL(softmax_vjp_##suffix, std::uint64_t rows, std::uint64_t length, T* output, const T* y,                 \
               const T* upstream) {                                                                                   \
    softmax_vjp(rows, length, output, y, upstream);                                                                   \
  }                                                                                                                   \
  TENON_KERNEL(log_softmax_vjp_##suffix, std::uint64_t rows, std::uint64_t length, T* output, const T* y,             \
               const T* upstream) {                                                                                   \
    log_softmax_vjp<Strict>(rows, length, output, y, upstream);                                                       \
  }                                                                                                                   \
  TENON_KERNEL(hard_masked_softmax_##suffix, std::uint64_t rows, std::uint64_t length, T* output, const T* x,         \
               const T* mask) {                                                                                       \
    hard_masked_softmax<Strict>(rows, length, output, x, mask);                                                       \
  }                                                                                                                   \
  TENON_KERNEL(layer_norm_##suffix, std::uint64_t rows, std::uint64_t length, T* output, const T* x, const T* weight, \
               const T* bias, T epsilon) {                                                                            \
    layer_norm(rows, length, output, x, weight, bias, epsilon);                                                       \
  }                                                                                                                   \
  TENON_KERNEL(batch_norm_##suffix, std::uint64_t n, std::uint64_t channels, std::uint64_t plane, T* output,          \
               const T* x, const T* mean, const T* variance, const T* weight, const T* bias, T epsilon) {             \
    batch_norm(n, channels, plane, output, x, mean, variance, weight, bias, epsilon);                                 \
  }

TENON_NORMALISERS(float, f32)
TENON_NORMALISERS(double, f64)

TENON_KERNEL(softmax_fast_f32, std::uint64_t rows, std::uint64_t length, float* output, const float* x) {
  softmax<Fast>(rows, length, output, x);
}
TENON_KERNEL(log_softmax_fast_f32, std::uint64_t rows, std::uint64_t length, float* output, const float* x) {
  log_softmax<Fast>(rows, length, output, x);
}
TENON_KERNEL(log_softmax_vjp_fast_f32, std::uint64_t rows, std::uint64_t length, float* output, const float* y,
             const float* upstream) {
  log_softmax_vjp<Fast>(rows, length, output, y, upstream);
}
TENON_KERNEL(hard_masked_softmax_fast_f32, std::uint64_t rows, std::uint64_t length, float* output, const float* x,
             const float* mask) {
  hard_masked_softmax<Fast>(rows, length, output, x, mask);
}
