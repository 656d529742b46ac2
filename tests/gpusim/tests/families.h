// families.h: how each family of tests/gpusim/kernels is launched, and what its right forms compute.
#pragma once
#include <cmath>

#include "run.h"

namespace gpusim {

struct Outcome {
  bool finished;
  std::vector<float> values, expected;
};

inline std::vector<float> small_numbers(std::size_t count, int modulus) {
  std::vector<float> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = float(int(i * 7 % std::size_t(modulus)) - modulus / 2);
  return values;
}

// Integers, so that the order of a sum does not show.
inline Outcome run_matmul(Device& device, const Library& library, const std::string& kernel) {
  const int m = 33, n = 47, k = 21, side = 16;
  const auto a = small_numbers(m * k, 13), b = small_numbers(k * n, 11);
  std::vector<float> expected(m * n);
  for (std::size_t i = 0; i < m * n; ++i) {
    for (std::size_t j = 0; j < k; ++j) expected[i] += a[i / n * k + j] * b[j * n + i % n];
  }
  Arrays arrays(device);
  auto* c = arrays.unwritten<float>(m * n);
  const Extent grid{(n + side - 1) / side, (m + side - 1) / side, 1}, block{side, side, 1};
  const bool finished = launch(device, library, kernel, grid, block, 0, arrays.of(a), arrays.of(b), c, m, n, k);
  return {finished, arrays.read(c, m * n), expected};
}

inline Outcome run_sum(Device& device, const Library& library, const std::string& kernel) {
  const int n = 3000;
  const auto x = small_numbers(n, 17);
  Arrays arrays(device);
  auto* out = arrays.of(std::vector<float>{0});
  const bool finished = launch(device, library, kernel, {3}, {128}, 0, arrays.of(x), out, n);
  return {finished, arrays.read(out, 1), {std::accumulate(x.begin(), x.end(), 0.0f)}};
}

inline Outcome run_softmax(Device& device, const Library& library, const std::string& kernel) {
  const int rows = 3, n = 100;
  const unsigned threads = 128;
  const auto x = small_numbers(rows * n, 9);
  std::vector<float> expected(rows * n);
  for (std::size_t row = 0; row < rows; ++row) {
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i) sum += std::exp(double(x[row * n + i]));
    for (std::size_t i = 0; i < n; ++i) expected[row * n + i] = float(std::exp(double(x[row * n + i])) / sum);
  }
  Arrays arrays(device);
  auto* y = arrays.unwritten<float>(rows * n);
  const bool finished = launch(device, library, kernel, {rows}, {threads}, threads * sizeof(float), arrays.of(x), y, n);
  return {finished, arrays.read(y, rows * n), expected};
}

inline constexpr unsigned single_blocks = 2, single_threads = 64;

/// Kernels of single.cu: the input is written, the output is not, the counter is zero.
inline Outcome run_single(Device& device, const Library& library, const std::string& kernel) {
  const std::size_t count = single_blocks * single_threads;
  Arrays arrays(device);
  auto* out = arrays.unwritten<float>(count);
  auto* in = kernel == "unwritten_input_read" ? arrays.unwritten<float>(count) : arrays.of(small_numbers(count, 5));
  auto* counter = arrays.of(std::vector<int>{0});
  const bool finished = launch(device, library, kernel, {single_blocks}, {single_threads}, 0, out, in, counter);
  return {finished, arrays.read(out, count), {}};
}

}  // namespace gpusim
