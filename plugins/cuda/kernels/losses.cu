// Losses: how far predictions are from targets. The sum of what is computed here is finished by the kernels of
// reductions.cu. A label beyond the classes, which the host has refused before, reads nothing and gives NaN.
#include "reductions.h"
#include "row_rules.h"

namespace tenon::gpu {
namespace {

/// The first level of the sum over squares of differences; the last one, too, where there is one block of the tree.
template <class T>
TENON_DEVICE void mse_squares(std::uint64_t n, T* output, const T* prediction, const T* target, T divisor) {
  const auto square = [=](std::uint64_t, std::uint64_t i) {
    const T difference = prediction[i] - target[i];
    return difference * difference;
  };
  reduce_staged(Cells{1, n}, output, SumOf(), square, [=](T sum) { return sum / divisor; });
}

template <class T>
TENON_DEVICE T nan_value() {
  return static_cast<T>(strict::detail::kNaN);
}

template <class Math, class T>
TENON_DEVICE void cross_entropy_rows(std::uint64_t rows, std::uint64_t classes, T* output, const T* logits,
                                     const std::uint32_t* labels) {
  for_my_row<T>(rows, classes, [=](const auto& team, std::uint64_t row) {
    const T* x = logits + row * classes;
    const LogSum<T> s = log_sum<Math>(team, x);
    if (!team.leads() || team.length == 0) return;
    const std::uint32_t label = labels[row];
    output[row] = label < classes ? -((x[label] - s.greatest) - s.log_of_sum) : nan_value<T>();
  });
}

template <class Math, class T>
TENON_DEVICE void cross_entropy_grad(std::uint64_t rows, std::uint64_t classes, T* output, const T* logits,
                                     const T* upstream, const std::uint32_t* labels) {
  for_my_row<T>(rows, classes, [=](const auto& team, std::uint64_t row) {
    T* to = output + row * classes;
    const T share = *upstream / static_cast<T>(rows);
    const T sum = exponentials<Math>(team, to, logits + row * classes);
    const std::uint32_t label = labels[row];
    const T offset = label < classes ? T(0) : nan_value<T>();
    team.each([=](std::uint64_t i) {
      const T p = to[i] / sum;
      to[i] = (i == label ? p - 1 : p + offset) * share;
    });
  });
}

}  // namespace
}  // namespace tenon::gpu

using namespace tenon::gpu;

#define TENON_LOSSES(T, suffix)                                                                                     \
  TENON_KERNEL(mse_squares_##suffix, std::uint64_t n, T* output, const T* prediction, const T* target, T divisor) { \
    mse_squares(n, output, prediction, target, divisor);                                                            \
  }                                                                                                                 \
  TENON_KERNEL(cross_entropy_rows_##suffix, std::uint64_t rows, std::uint64_t classes, T* output, const T* logits,  \
               const std::uint32_t* labels) {                                                                       \
    cross_entropy_rows<Strict>(rows, classes, output, logits, labels);                                              \
  }                                                                                                                 \
  TENON_KERNEL(cross_entropy_grad_##suffix, std::uint64_t rows, std::uint64_t classes, T* output, const T* logits,  \
               const T* upstream, const std::uint32_t* labels) {                                                    \
    cross_entropy_grad<Strict>(rows, classes, output, logits, upstream, labels);                                    \
  }

TENON_LOSSES(float, f32)
TENON_LOSSES(double, f64)

TENON_KERNEL(cross_entropy_rows_fast_f32, std::uint64_t rows, std::uint64_t classes, float* output, const float* logits,
             const std::uint32_t* labels) {
  cross_entropy_rows<Fast>(rows, classes, output, logits, labels);
}
TENON_KERNEL(cross_entropy_grad_fast_f32, std::uint64_t rows, std::uint64_t classes, float* output, const float* logits,
             const float* upstream, const std::uint32_t* labels) {
  cross_entropy_grad<Fast>(rows, classes, output, logits, upstream, labels);
}
