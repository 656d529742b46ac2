// products.h: the pass of a product of matrices.
//
// Pure; any thread.
#pragma once
#include "walk.h"

namespace tenon::vulkan {

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

  void put(Push& push) const {
    constexpr std::size_t room = 6;
    const std::size_t axes = matrices.extents.size();
    if (axes > room) throw Unserved("serves at most ", room, " leading axes that do not merge, given ", axes);
    const auto put_list = [&](auto at) {
      for (std::size_t i = 0; i < room; ++i) push.count(i < axes ? static_cast<std::uint64_t>(at(i)) : 0);
    };
    put_list([&](std::size_t i) { return matrices.extents[i]; });
    put_list([&](std::size_t i) { return dense_left == 0 ? matrices.strides[i][left] : dense_stride(i); });
    put_list([&](std::size_t i) { return matrices.strides[i][right]; });
    push.count(axes).count(rows).count(depth).count(columns).count(matrices.count());
  }

 private:
  std::int64_t dense_stride(std::size_t axis) const {
    std::int64_t stride = dense_left;
    for (std::size_t i = axis + 1; i < matrices.extents.size(); ++i) stride *= matrices.extents[i];
    return stride;
  }
};

/// Appends the pass of a product, without its bindings. `tiled` serves where every extent is a multiple of its tile.
Pass& add_product(Plan& plan, std::uint32_t shader_number, const Product& product,
                  std::optional<std::uint32_t> tiled = std::nullopt);

}  // namespace tenon::vulkan
