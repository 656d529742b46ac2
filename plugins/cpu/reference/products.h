// products.h: one row of a product of matrices, and which matrices of two batches meet.
//
// Each element is a fold from +0 over ascending k, the product rounded, then added. The innermost loop runs over
// columns: that keeps the order of every element and lets the compiler use its vectors. Pure functions; any thread.
#pragma once
#include "provider.h"
#include "walk.h"

namespace tenon::cpu::reference {

/// output (columns) = the row vector left (depth) times right (depth, columns).
template <class T>
void multiply_row(T* output, const T* left, const T* right, std::uint64_t depth, std::uint64_t columns) {
  constexpr std::uint64_t width = 64;  // sums that fit the vector registers and the first cache
  for (std::uint64_t first = 0; first < columns; first += width) {
    const std::uint64_t count = std::min(width, columns - first);
    T sums[width] = {};
    for (std::uint64_t k = 0; k < depth; ++k) {
      const T* row = right + k * columns + first;
      for (std::uint64_t j = 0; j < count; ++j) sums[j] += left[k] * row[j];
    }
    std::copy(sums, sums + count, output + first);
  }
}

inline std::uint64_t extent(const TensorView& tensor, std::size_t from_end) {
  return static_cast<std::uint64_t>(tensor.extent_from_end(from_end));
}

/// Where an operand's matrix stands for each of the result's: extents of 1 and missing axes repeat.
inline Walk matrices_of(const TensorView& operand, const TensorView& output) {
  Walk walk;
  const std::vector<std::int64_t> strides = dense_strides(operand.shape());
  for (std::size_t from_end = output.rank(); from_end > 2; --from_end) {
    const bool repeats = operand.extent_from_end(from_end) == 1;
    walk.push_back(output.extent_from_end(from_end), repeats ? 0 : strides[operand.rank() - from_end]);
  }
  return walk;
}

}  // namespace tenon::cpu::reference
