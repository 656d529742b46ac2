// Products of matrices. Each element is a fold from +0 over ascending k, the product rounded, then added.
#include "products.h"

namespace tenon::cpu::reference {
namespace {

/// (..., m, k) by (..., k, n); leading axes broadcast.
template <class T>
class Matmul {
 public:
  using dtypes = T(T, T);
  static constexpr tenon_numerics numerics = plugin::strict_numerics(TENON_REDUCTION_FIXED_LEFT);

  explicit Matmul(const SignatureView& signature)
      : rows_(extent(signature.operand(0), 2)),
        depth_(extent(signature.operand(0), 1)),
        columns_(extent(signature.operand(1), 1)) {
    const TensorView left = signature.operand(0), right = signature.operand(1), output = signature.output();
    if (left.rank() < 2 || right.rank() < 2 || output.rank() < 2 || extent(right, 2) != depth_) {
      plugin::refuse("[matmul] left ", left.shape(), ", right ", right.shape());
    }
    left_ = matrices_of(left, output);
    right_ = matrices_of(right, output);
  }

  void operator()(const Arguments& arguments) const {
    const T* left = arguments.operand<T>(0);
    const T* right = arguments.operand<T>(1);
    T* output = arguments.output<T>();
    const auto grain = rows_per_range(depth_ * columns_);
    plugin::for_ranges(left_.count() * rows_, grain, [=, this](std::uint64_t begin, std::uint64_t end) {
      for (std::uint64_t row = begin; row < end; ++row) {
        const std::uint64_t matrix = row / rows_;
        const T* from = left + left_.offset(matrix) + static_cast<std::int64_t>(row % rows_ * depth_);
        multiply_row(output + row * columns_, from, right + right_.offset(matrix), depth_, columns_);
      }
    });
  }
  std::uint64_t flops() const { return 2 * left_.count() * rows_ * depth_ * columns_; }

 private:
  std::uint64_t rows_, depth_, columns_;
  Walk left_, right_;
};

/// x (..., in) times weight (out, in) transposed, plus bias (out), which is added last.
template <class T>
class Linear {
 public:
  using dtypes = T(T, T, T);
  static constexpr tenon_numerics numerics = plugin::strict_numerics(TENON_REDUCTION_FIXED_LEFT);

  explicit Linear(const SignatureView& signature) : rows_(Rows::of(signature.output()).count) {
    const TensorView x = signature.operand(0), weight = signature.operand(1), bias = signature.operand(2);
    outputs_ = static_cast<std::uint64_t>(weight.extent_from_end(2));
    inputs_ = static_cast<std::uint64_t>(weight.extent_from_end(1));
    if (weight.rank() != 2 || x.rank() < 1 || x.extent_from_end(1) != weight.extent(1) || bias.elements() != outputs_) {
      plugin::refuse("[linear] x ", x.shape(), ", weight ", weight.shape(), ", bias ", bias.shape());
    }
  }

  /// The transposed weight, so that neighbouring outputs are neighbours in memory.
  std::uint64_t workspace_bytes() const { return inputs_ * outputs_ * sizeof(T); }

  void operator()(const Arguments& arguments) const {
    if (rows_ == 0 || outputs_ == 0) return;
    const T* x = arguments.operand<T>(0);
    const T* bias = arguments.operand<T>(2);
    T* weight = arguments.workspace<T>();
    T* output = arguments.output<T>();
    transpose(arguments.operand<T>(1), weight);
    const auto grain = rows_per_range(inputs_ * outputs_);
    plugin::for_ranges(rows_, grain, [=, this](std::uint64_t begin, std::uint64_t end) {
      for (std::uint64_t row = begin; row < end; ++row) {
        T* to = output + row * outputs_;
        multiply_row(to, x + row * inputs_, weight, inputs_, outputs_);
        for (std::uint64_t j = 0; j < outputs_; ++j) to[j] += bias[j];
      }
    });
  }
  std::uint64_t flops() const { return 2 * rows_ * inputs_ * outputs_; }

 private:
  void transpose(const T* weight, T* transposed) const {
    for (std::uint64_t j = 0; j < outputs_; ++j) {
      for (std::uint64_t k = 0; k < inputs_; ++k) transposed[k * outputs_ + j] = weight[j * inputs_ + k];
    }
  }
  std::uint64_t rows_, outputs_ = 0, inputs_ = 0;
};

TENON_CAPSULES capsules = plugin::join(both<"matmul", Matmul>, both<"linear", Linear>);

}  // namespace
}  // namespace tenon::cpu::reference
