// products.h: a product of matrices, cut into pieces for the host's threads.
//
// A piece is a strip of columns by some rows. For each, the right operand is packed into a buffer on the stack, a part
// of the depth at a time, so that the loop over the depth reads neighbours from the first cache; the sums wait in the
// output meanwhile, which changes no bit of them. Pure functions; any thread.
#pragma once
#include "provider.h"

namespace tenon::cpu::native {

/// output (rows, columns) = left (rows, depth) times right (depth, columns). Strides are in elements.
template <class T>
struct Product {
  const T* left;
  std::uint64_t left_stride;  // between rows
  const T* right;
  std::uint64_t right_row_stride, right_column_stride;
  T* output;
  std::uint64_t output_stride;  // between rows
  std::uint64_t rows, depth, columns;
};

/// How much of the depth is packed at a time.
inline constexpr std::uint64_t most_depth = 256;
/// How many rows share what was packed: enough for that to cost little.
inline constexpr std::uint64_t rows_per_piece = 96;

constexpr std::uint64_t pieces_of(std::uint64_t extent, std::uint64_t piece) {
  return extent == 0 ? 0 : (extent - 1) / piece + 1;
}

/// Rows of `width` elements, of which the first `columns` are right's.
template <class T>
void pack(T* to, std::uint64_t width, const Product<T>& product, std::uint64_t column, std::uint64_t columns,
          std::uint64_t begin, std::uint64_t depth) {
  const std::uint64_t down = product.right_row_stride, across = product.right_column_stride;
  const T* from = product.right + begin * down + column * across;
  for (std::uint64_t k = 0; k < depth; ++k) {
    T* row = to + k * width;
    if (across == 1) {
      std::copy_n(from + k * down, columns, row);
    } else {
      for (std::uint64_t j = 0; j < columns; ++j) row[j] = from[k * down + j * across];
    }
    std::fill(row + columns, row + width, T(0));
  }
}

template <class T>
using MultiplyStrip = void (*)(const Strip<T>&);

/// The columns from `column` on, as many as a strip has, of some rows.
template <class T>
void multiply_piece(const Product<T>& product, MultiplyStrip<T> multiply, std::uint64_t width, std::uint64_t column,
                    std::uint64_t row, std::uint64_t rows) {
  alignas(64) T packed[most_depth * most_strip_bytes / sizeof(T)];
  const std::uint64_t columns = std::min(width, product.columns - column);
  Strip<T> strip{product.left + row * product.left_stride,
                 product.left_stride,
                 packed,
                 product.output + row * product.output_stride + column,
                 product.output_stride,
                 rows,
                 0,
                 columns,
                 true};
  std::uint64_t begin = 0;
  do {  // once where there is no depth, for the zeros
    strip.depth = std::min(most_depth, product.depth - begin);
    if (strip.depth != 0) pack(packed, width, product, column, columns, begin, strip.depth);
    multiply(strip);
    strip.left += strip.depth;
    strip.begins = false;
    begin += strip.depth;
  } while (begin < product.depth);
}

/// Pieces of the products 0 ... count - 1, which are alike but for where they stand: product_of(number).
/// finish(product, column, columns, row, rows) is called for each piece that is done.
template <class T, class ProductOf, class Finish>
void multiply_all(std::uint64_t count, const Product<T>& shape, const Kernels<T>& kernels, MultiplyStrip<T> multiply,
                  const ProductOf& product_of, const Finish& finish) {
  const std::uint64_t width = kernels.strip_columns;
  const std::uint64_t strips = pieces_of(shape.columns, width), stacks = pieces_of(shape.rows, rows_per_piece);
  const std::uint64_t grain = rows_per_range(std::min(shape.rows, rows_per_piece) * width * shape.depth);
  plugin::for_ranges(count * strips * stacks, grain, [&](std::uint64_t begin, std::uint64_t end) {
    for (std::uint64_t piece = begin; piece < end; ++piece) {
      const std::uint64_t row = piece / strips % stacks * rows_per_piece, column = piece % strips * width;
      const std::uint64_t rows = std::min(rows_per_piece, shape.rows - row);
      const Product<T> product = product_of(piece / strips / stacks);
      multiply_piece(product, multiply, width, column, row, rows);
      finish(product, column, std::min(width, shape.columns - column), row, rows);
    }
  });
}

}  // namespace tenon::cpu::native
