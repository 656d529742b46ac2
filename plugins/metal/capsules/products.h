// products.h: the pass of a product of matrices.
//
// Pure; any thread.
#pragma once
#include "walk.h"

namespace tenon::metal {

inline std::uint64_t extent(const TensorView& tensor, std::size_t from_end) {
  return static_cast<std::uint64_t>(tensor.extent_from_end(from_end));
}

/// The leading axes of a result, and for each the strides of up to four operands: extents of 1 and missing axes repeat.
struct Matrices {
  std::vector<std::int64_t> extents;
  std::vector<std::array<std::int64_t, 4>> strides;

  Matrices() = default;
  Matrices(const SignatureView& s, std::uint32_t operands) {
    const TensorView output = s.output();
    for (std::size_t from_end = output.rank(); from_end > 2; --from_end) {
      if (output.extent_from_end(from_end) == 1) continue;
      std::array<std::int64_t, 4> of{};
      for (std::uint32_t i = 0; i < operands; ++i) {
        const TensorView operand = s.operand(i);
        if (operand.extent_from_end(from_end) != 1) of[i] = dense_strides(operand.shape())[operand.rank() - from_end];
      }
      push_back(output.extent_from_end(from_end), of);
    }
  }
  std::uint64_t count() const {
    std::uint64_t product = 1;
    for (const std::int64_t e : extents) product *= static_cast<std::uint64_t>(e);
    return product;
  }

 private:
  /// Joined with the axis before where all strides allow it.
  void push_back(std::int64_t extent, const std::array<std::int64_t, 4>& of) {
    if (!extents.empty()) {
      bool joins = true;
      for (std::size_t i = 0; i < of.size(); ++i) joins = joins && strides.back()[i] == of[i] * extent;
      if (joins) {
        extents.back() *= extent;
        strides.back() = of;
        return;
      }
    }
    extents.push_back(extent);
    strides.push_back(of);
  }
};

/// matrices * rows results of `columns` elements. `left` and `right` say where in `strides` an operand's stand; an
/// operand that has a matrix for each result passes `dense_*`, the elements of one.
struct Product {
  std::uint64_t rows, depth, columns;
  Matrices matrices;
  std::size_t left, right;
  std::int64_t dense_left = 0;  // not 0: left is no operand, but a workspace with a matrix for each result

  std::uint64_t elements() const { return matrices.count() * rows * columns; }

  tenon_metal::Product constants(float factor) const {
    constexpr std::size_t room = 6;
    const std::size_t axes = matrices.extents.size();
    if (axes > room) throw Unserved("serves at most ", room, " leading axes that do not merge, given ", axes);
    tenon_metal::Product constants{};
    for (std::size_t i = 0; i < axes; ++i) {
      constants.extents[i] = count32(matrices.extents[i]);
      constants.left_strides[i] = count32(dense_left == 0 ? matrices.strides[i][left] : dense_stride(i));
      constants.right_strides[i] = count32(matrices.strides[i][right]);
    }
    constants.axes = count32(axes);
    constants.rows = count32(rows);
    constants.depth = count32(depth);
    constants.columns = count32(columns);
    constants.matrices = count32(matrices.count());
    constants.factor = factor;
    return constants;
  }

 private:
  std::int64_t dense_stride(std::size_t axis) const {
    std::int64_t stride = dense_left;
    for (std::size_t i = axis + 1; i < matrices.extents.size(); ++i) stride *= matrices.extents[i];
    return stride;
  }
};

/// A kernel by tiles, in its two forms.
struct TileKernel {
  const char *usual, *small;
};

/// Sets a pass to go over `rows` by `columns` results, `depth` times, by the form that suits them.
Pass& add_tiles(Plan& plan, const TileKernel& kernel, std::uint64_t rows, std::uint64_t columns, std::uint64_t depth);

/// Appends the pass of a product, without its bindings.
Pass& add_product(Plan& plan, const TileKernel& kernel, const Product& product, float factor = 1);

}  // namespace tenon::metal
