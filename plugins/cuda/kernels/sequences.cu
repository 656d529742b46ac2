// The part of attention that is no product of matrices, and a linear recurrence.
#include "row_rules.h"
#include "walk.h"

namespace tenon::gpu {
namespace {

/// Scores become weights where they stand: hard_masked_softmax of factor * score. Masks stand where a walk says.
template <class Math, class T>
TENON_DEVICE void attention_weights(std::uint64_t rows, std::uint64_t keys, std::uint64_t queries, const Walk& masks,
                                    T* scores, const T* mask, T factor) {
  for_my_row<T>(rows, keys, [&](const auto& team, std::uint64_t row) {
    T* at = scores + row * keys;
    const T* allowed = mask + masks.offset(row / queries) + row % queries * keys;
    masked_softmax<Math>(
        team, at, [=](std::uint64_t i) { return at[i] * factor; }, allowed);
  });
}

// A result may stand in an operand's place, so the compiler may not read ahead of a write: the kernels read what
// several steps need at once, and an element's steps are its own thread's.
constexpr unsigned steps_at_once = 4;

/// A thread for each element; `size` of them at each of `count` steps.
template <class T>
TENON_DEVICE void selective_scan(std::uint64_t count, std::uint64_t size, T* output, const T* a, const T* b, const T* x,
                                 const T* h0) {
  const std::uint64_t i = thread_number();
  if (i >= size) return;
  T h = h0[i];
  const auto step = [&](std::uint64_t at, T factor, T input_factor, T input) {
    h = factor * h + input_factor * input;
    output[at] = h;
  };
  std::uint64_t at = i, left = count;
  for (; left >= steps_at_once; left -= steps_at_once) {
    T as[steps_at_once], bs[steps_at_once], xs[steps_at_once];
#pragma unroll
    for (unsigned j = 0; j < steps_at_once; ++j) {
      as[j] = a[at + j * size];
      bs[j] = b[at + j * size];
      xs[j] = x[at + j * size];
    }
#pragma unroll
    for (unsigned j = 0; j < steps_at_once; ++j, at += size) step(at, as[j], bs[j], xs[j]);
  }
  for (; left != 0; --left, at += size) step(at, a[at], b[at], x[at]);
}

template <class T>
TENON_DEVICE void selective_scan_grad(std::uint64_t count, std::uint64_t size, T* output, const T* a,
                                      const T* upstream) {
  const std::uint64_t i = thread_number();
  if (i >= size) return;
  std::uint64_t at = (count - 1) * size + i, left = count - 1;
  T g = upstream[at];
  output[at] = g;
  for (; left >= steps_at_once; left -= steps_at_once) {
    T as[steps_at_once], us[steps_at_once];
#pragma unroll
    for (unsigned j = 0; j < steps_at_once; ++j) {
      as[j] = a[at - j * size];
      us[j] = upstream[at - (j + 1) * size];
    }
#pragma unroll
    for (unsigned j = 0; j < steps_at_once; ++j) {
      g = us[j] + as[j] * g;
      output[at -= size] = g;
    }
  }
  for (; left != 0; --left) {
    const T factor = a[at];
    at -= size;
    g = upstream[at] + factor * g;
    output[at] = g;
  }
}

}  // namespace
}  // namespace tenon::gpu

using namespace tenon::gpu;

#define TENON_SEQUENCES(T, suffix)                                                                                    \
  TENON_KERNEL(attention_weights_##suffix, std::uint64_t rows, std::uint64_t keys, std::uint64_t queries, Walk masks, \
               T* scores, const T* mask, T factor) {                                                                  \
    attention_weights<Strict>(rows, keys, queries, masks, scores, mask, factor);                                      \
  }                                                                                                                   \
  TENON_KERNEL(selective_scan_##suffix, std::uint64_t count, std::uint64_t size, T* output, const T* a, const T* b,   \
               const T* x, const T* h0) {                                                                             \
    selective_scan(count, size, output, a, b, x, h0);                                                                 \
  }                                                                                                                   \
  TENON_KERNEL(selective_scan_grad_##suffix, std::uint64_t count, std::uint64_t size, T* output, const T* a,          \
               const T* upstream) {                                                                                   \
    selective_scan_grad(count, size, output, a, upstream);                                                            \
  }

TENON_SEQUENCES(float, f32)
TENON_SEQUENCES(double, f64)

TENON_KERNEL(attention_weights_fast_f32, std::uint64_t rows, std::uint64_t keys, std::uint64_t queries, Walk masks,
             float* scores, const float* mask, float factor) {
  attention_weights<Fast>(rows, keys, queries, masks, scores, mask, factor);
}
