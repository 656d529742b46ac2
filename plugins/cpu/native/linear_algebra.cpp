// Products of matrices: each element a fold from +0 over ascending k, the product rounded, then added; and the same
// with one rounding, for who asks for speed.
#include "../reference/products.h"
#include "products.h"

namespace tenon::cpu::native {
namespace {

/// What an element's products and sums become.
struct Strict {
  static constexpr tenon_numerics numerics = plugin::strict_numerics(TENON_REDUCTION_FIXED_LEFT);
  template <class T>
  static MultiplyStrip<T> loop(const Kernels<T>& kernels) {
    return kernels.multiply_strip;
  }
};

/// One rounding where the instruction set has it, so that the bits are the machine's.
struct Fast {
  static constexpr tenon_numerics numerics = [] {
    tenon_numerics n = plugin::strict_numerics(TENON_REDUCTION_FIXED_LEFT);
    n.flags = TENON_NUMERICS_DETERMINISTIC;
    n.contraction = TENON_IMPLEMENTATION_DEFINED;
    return n;
  }();
  template <class T>
  static MultiplyStrip<T> loop(const Kernels<T>& kernels) {
    return kernels.multiply_strip_fused;
  }
};

/// (..., m, k) by (..., k, n); leading axes broadcast.
template <class T, class Numerics>
class Matmul {
 public:
  using dtypes = T(T, T);
  static constexpr tenon_numerics numerics = Numerics::numerics;

  Matmul(const SignatureView& signature, tenon_device* device) : kernels_(&kernels<T>(isa_of(device))) {
    const TensorView left = signature.operand(0), right = signature.operand(1), output = signature.output();
    shape_.rows = reference::extent(left, 2);
    shape_.depth = reference::extent(left, 1);
    shape_.columns = reference::extent(right, 1);
    if (left.rank() < 2 || right.rank() < 2 || output.rank() < 2 || reference::extent(right, 2) != shape_.depth) {
      plugin::refuse("[matmul] left ", left.shape(), ", right ", right.shape());
    }
    shape_.left_stride = shape_.depth;
    shape_.right_row_stride = shape_.output_stride = shape_.columns;
    shape_.right_column_stride = 1;
    left_ = reference::matrices_of(left, output);
    right_ = reference::matrices_of(right, output);
  }

  void operator()(const Arguments& arguments) const {
    Product<T> first = shape_;
    first.left = arguments.operand<T>(0);
    first.right = arguments.operand<T>(1);
    first.output = arguments.output<T>();
    const auto product_of = [&](std::uint64_t matrix) {
      Product<T> product = first;
      product.left += left_.offset(matrix);
      product.right += right_.offset(matrix);
      product.output += matrix * shape_.rows * shape_.columns;
      return product;
    };
    multiply_all(left_.count(), shape_, *kernels_, Numerics::loop(*kernels_), product_of, [](auto&&...) {});
  }
  std::uint64_t flops() const { return 2 * left_.count() * shape_.rows * shape_.depth * shape_.columns; }

 private:
  const Kernels<T>* kernels_;
  Product<T> shape_{};  // of one matrix by one; the pointers are set at launch
  reference::Walk left_, right_;
};

/// x (..., in) times weight (out, in) transposed, plus bias (out), which is added last.
template <class T, class Numerics>
class Linear {
 public:
  using dtypes = T(T, T, T);
  static constexpr tenon_numerics numerics = Numerics::numerics;

  Linear(const SignatureView& signature, tenon_device* device) : kernels_(&kernels<T>(isa_of(device))) {
    const TensorView x = signature.operand(0), weight = signature.operand(1), bias = signature.operand(2);
    shape_.rows = reference::Rows::of(signature.output()).count;
    shape_.depth = reference::extent(weight, 1);
    shape_.columns = reference::extent(weight, 2);
    if (weight.rank() != 2 || x.rank() < 1 || x.extent_from_end(1) != weight.extent(1) ||
        bias.elements() != shape_.columns) {
      plugin::refuse("[linear] x ", x.shape(), ", weight ", weight.shape(), ", bias ", bias.shape());
    }
    shape_.left_stride = shape_.right_column_stride = shape_.depth;
    shape_.right_row_stride = 1;
    shape_.output_stride = shape_.columns;
  }

  void operator()(const Arguments& arguments) const {
    const T* bias = arguments.operand<T>(2);
    Product<T> all = shape_;
    all.left = arguments.operand<T>(0);
    all.right = arguments.operand<T>(1);
    all.output = arguments.output<T>();
    const auto add_bias = [bias](const Product<T>& product, std::uint64_t column, std::uint64_t columns,
                                 std::uint64_t row, std::uint64_t rows) {
      for (std::uint64_t r = row; r < row + rows; ++r) {
        T* to = product.output + r * product.output_stride + column;
        for (std::uint64_t j = 0; j < columns; ++j) to[j] += bias[column + j];
      }
    };
    multiply_all(
        1, shape_, *kernels_, Numerics::loop(*kernels_), [&](std::uint64_t) { return all; }, add_bias);
  }
  std::uint64_t flops() const { return 2 * shape_.rows * shape_.depth * shape_.columns; }

 private:
  const Kernels<T>* kernels_;
  Product<T> shape_{};  // the pointers are set at launch
};

template <class T>
using StrictMatmul = Matmul<T, Strict>;
template <class T>
using StrictLinear = Linear<T, Strict>;
template <class T>
using FastMatmul = Matmul<T, Fast>;
template <class T>
using FastLinear = Linear<T, Fast>;

/// Ahead of the others, and admissible only where no strict numerics are asked for.
struct NativeFast : Native {
  static constexpr plugin::FixedText prefix = "cpu.native.fast";
  static constexpr std::int32_t priority = Native::priority + 10;
  static constexpr const char* provenance = "docs/cpu.md; within its tolerance of cpu.reference";
};
template <plugin::FixedText Op, template <class> class Kernel>
constexpr auto both_fast = plugin::for_types<NativeFast, Op, Kernel, float, double>;

TENON_CAPSULES capsules = plugin::join(both<"matmul", StrictMatmul>, both<"linear", StrictLinear>,
                                       both_fast<"matmul", FastMatmul>, both_fast<"linear", FastLinear>);

}  // namespace
}  // namespace tenon::cpu::native
