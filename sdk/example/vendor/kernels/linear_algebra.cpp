// Products of matrices. In the exact ones each element is a fold from +0 over ascending k, every product rounded before
// it is added; the fast one multiplies in bfloat16, as the matrix units of accelerators do.
#include "../device.h"
#include "kernel.h"

namespace acme {
namespace {

constexpr tenon_numerics folds = strict_numerics(TENON_REDUCTION_FIXED_LEFT);

std::uint64_t extent(const TensorView& tensor, std::size_t axis) {
  return static_cast<std::uint64_t>(tensor.extent(axis));
}

/// (m, k) by (k, n).
class Matmul {
 public:
  using dtypes = float(float, float);
  static constexpr tenon_numerics numerics = folds;

  // What a kernel cannot do it says before a session begins, with a reason that the user gets to read.
  static bool supports(const SignatureView& signature, Reason& why) {
    if (signature.operand(0).rank() == 2 && signature.operand(1).rank() == 2) return true;
    return why.decline("multiplies single matrices, not batches: left ", signature.operand(0).shape(), ", right ",
                       signature.operand(1).shape());
  }

  explicit Matmul(const SignatureView& signature)
      : rows_(extent(signature.operand(0), 0)),
        depth_(extent(signature.operand(0), 1)),
        columns_(extent(signature.operand(1), 1)) {}

  void operator()(const Tensors& tensors) const {
    for (std::uint64_t row = 0; row < rows_; ++row) {
      multiply_row(tensors.operand(0) + row * depth_, tensors.operand(1), tensors.output() + row * columns_);
    }
  }
  std::uint64_t flops() const { return 2 * rows_ * depth_ * columns_; }

 private:
  // Columns innermost: that keeps the order of every element's sum, and lets the compiler use vectors.
  void multiply_row(const float* left, const float* right, float* output) const {
    std::fill_n(output, columns_, 0.0f);
    for (std::uint64_t k = 0; k < depth_; ++k) {
      for (std::uint64_t j = 0; j < columns_; ++j) output[j] += left[k] * right[k * columns_ + j];
    }
  }
  std::uint64_t rows_, depth_, columns_;
};

// -- linear: x (..., in) times weight (out, in) transposed, plus bias (out) ----------------------------------

class LinearShape {
 public:
  using dtypes = float(float, float, float);

  explicit LinearShape(const SignatureView& signature)
      : rows(Rows(signature.output()).count),
        inputs(extent(signature.operand(1), 1)),
        outputs(extent(signature.operand(1), 0)) {}

  std::uint64_t flops() const { return 2 * rows * inputs * outputs; }

 protected:
  /// Each element of the result: `product` of a row of x and a row of weight, plus bias.
  template <class Product>
  void for_each_output(const Tensors& tensors, const Product& product) const {
    for (std::uint64_t row = 0; row < rows; ++row) {
      for (std::uint64_t j = 0; j < outputs; ++j) {
        const float sum = product(tensors.operand(0) + row * inputs, tensors.operand(1) + j * inputs);
        tensors.output()[row * outputs + j] = sum + tensors.operand(2)[j];
      }
    }
  }
  std::uint64_t rows, inputs, outputs;
};

class Linear : public LinearShape {
 public:
  static constexpr tenon_numerics numerics = folds;
  using LinearShape::LinearShape;

  void operator()(const Tensors& tensors) const {
    for_each_output(tensors, [this](const float* x, const float* weight) {
      float sum = 0;
      for (std::uint64_t k = 0; k < inputs; ++k) sum += x[k] * weight[k];
      return sum;
    });
  }
};

constexpr tenon_dtype bfloat16{TENON_DTYPE_BFLOAT, 16, 1};

/// A float is a bfloat16 and sixteen bits more. A NaN stays one.
float to_bfloat16(float x, Rounding rounding) {
  constexpr std::uint32_t kept = 0xffff0000, quiet = 0x00400000;
  const auto bits = __builtin_bit_cast(std::uint32_t, x);
  if (x != x) return __builtin_bit_cast(float, (bits & kept) | quiet);
  const std::uint32_t half_to_even = rounding == Rounding::nearest ? 0x7fff + (bits >> 16 & 1) : 0;
  return __builtin_bit_cast(float, (bits + half_to_even) & kept);
}

/// Not strict, and so never chosen where the user asked for the same bits on every device. How it rounds is the user's
/// choice, which the device knows.
class FastLinear : public LinearShape {
 public:
  static constexpr const char* value =
      "operands rounded to bfloat16 as --option vendor.rounding says, sums in binary32";
  static constexpr tenon_numerics numerics = [] {
    tenon_numerics policy = tenon::plugin::deterministic_numerics();
    policy.compute = bfloat16;
    policy.accumulate = tenon::plugin::dtype_of<float>;
    return policy;
  }();

  FastLinear(const SignatureView& signature, tenon_device* device)
      : LinearShape(signature), rounding_(tenon::plugin::from_handle<Device>(device).rounding) {}

  void operator()(const Tensors& tensors) const {
    for_each_output(tensors, [this](const float* x, const float* weight) {
      float sum = 0;
      for (std::uint64_t k = 0; k < inputs; ++k)
        sum += to_bfloat16(x[k], rounding_) * to_bfloat16(weight[k], rounding_);
      return sum;
    });
  }

 private:
  Rounding rounding_;
};

TENON_CAPSULES capsules = join(exact<"matmul", Matmul>, exact<"linear", Linear>, fast<"linear", FastLinear>);

}  // namespace
}  // namespace acme
