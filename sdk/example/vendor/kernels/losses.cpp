// Softmax with its gradient, and losses.
#include "kernel.h"
#include "rows.h"

namespace acme {
namespace {

constexpr tenon_numerics sums = strict_numerics(TENON_REDUCTION_FIXED_TREE);

using Label = std::uint32_t;  // natural numbers come as these

class Softmax {
 public:
  using dtypes = float(float);
  static constexpr tenon_numerics numerics = sums;

  explicit Softmax(const SignatureView& signature) : rows_(signature.operand(0)) {}

  void operator()(const Tensors& tensors) const {
    for (std::uint64_t row = 0; row < rows_.count; ++row) {
      softmax_row(tensors.operand(0) + row * rows_.length, tensors.output() + row * rows_.length, rows_.length);
    }
  }

 private:
  Rows rows_;
};

/// (x, result, cotangent): result * (cotangent - the sum of cotangent * result), row by row. A gradient of this
/// device's own: the host would compose the same bits of five operations, one of which, a broadcast of a column, is
/// declined here (layout.cpp).
class SoftmaxVjp {
 public:
  using dtypes = float(float, float, float);  // a cotangent for each operand of softmax: for x alone
  static constexpr bool differentiable = false;
  static constexpr tenon_numerics numerics = sums;

  explicit SoftmaxVjp(const SignatureView& signature) : rows_(signature.operand(0)) {}

  void operator()(const Tensors& tensors) const {
    for (std::uint64_t row = 0; row < rows_.count; ++row) {
      const std::uint64_t at = row * rows_.length;
      gradient(tensors.operand(1) + at, tensors.operand(2) + at, tensors.output() + at);
    }
  }

 private:
  void gradient(const float* result, const float* cotangent, float* output) const {
    const float sum = strict::tree_sum<float>(rows_.length, [&](std::uint64_t i) { return cotangent[i] * result[i]; });
    for (std::uint64_t i = 0; i < rows_.length; ++i) output[i] = result[i] * (cotangent[i] - sum);
  }
  Rows rows_;
};

class MseLoss {
 public:
  using dtypes = float(float, float);
  static constexpr tenon_numerics numerics = sums;

  explicit MseLoss(const SignatureView& signature) : elements_(signature.operand(0).elements()) {}

  void operator()(const Tensors& tensors) const {
    const auto square = [&](std::uint64_t i) {
      const float difference = tensors.operand(0)[i] - tensors.operand(1)[i];
      return difference * difference;
    };
    *tensors.output() = strict::tree_sum<float>(elements_, square) / static_cast<float>(elements_);
  }

 private:
  std::uint64_t elements_;
};

/// The host has checked labels that come from the user; a device checks again, so that a mistake is an error and not
/// something read from elsewhere. It is found when the work is done, and told at the next event.
void check_label(Label label, std::uint64_t row, std::uint64_t classes) {
  if (label >= classes) refuse("label ", label, " of row ", row, ": there are ", classes, " classes");
}

/// (logits, labels)
class CrossEntropy {
 public:
  using dtypes = float(float, Label);
  static constexpr tenon_numerics numerics = sums;

  explicit CrossEntropy(const SignatureView& signature) : rows_(signature.operand(0)) {}

  void operator()(const Tensors& tensors) const {
    const auto* labels = tensors.operand<Label>(1);
    for (std::uint64_t row = 0; row < rows_.count; ++row) check_label(labels[row], row, rows_.length);
    const auto loss = [&](std::uint64_t row) {
      return row_loss(tensors.operand(0) + row * rows_.length, rows_.length, labels[row]);
    };
    *tensors.output() = strict::tree_sum<float>(rows_.count, loss) / static_cast<float>(rows_.count);
  }

 private:
  Rows rows_;
};

/// (logits, upstream, labels): (softmax(logits) - one at the label) * (upstream / rows)
class CrossEntropyGrad {
 public:
  using dtypes = float(float, float, Label);
  static constexpr bool differentiable = false;
  static constexpr tenon_numerics numerics = sums;

  explicit CrossEntropyGrad(const SignatureView& signature) : rows_(signature.operand(0)) {}

  void operator()(const Tensors& tensors) const {
    const auto* labels = tensors.operand<Label>(2);
    const float share = *tensors.operand(1) / static_cast<float>(rows_.count);
    for (std::uint64_t row = 0; row < rows_.count; ++row) {
      check_label(labels[row], row, rows_.length);
      gradient(tensors.operand(0) + row * rows_.length, labels[row], share, tensors.output() + row * rows_.length);
    }
  }

 private:
  void gradient(const float* logits, Label label, float share, float* output) const {
    softmax_row(logits, output, rows_.length);
    output[label] -= 1;
    for (std::uint64_t i = 0; i < rows_.length; ++i) output[i] *= share;
  }
  Rows rows_;
};

TENON_CAPSULES capsules = join(exact<"softmax", Softmax>, exact<"softmax.vjp", SoftmaxVjp>, exact<"mse_loss", MseLoss>,
                               exact<"cross_entropy", CrossEntropy>, exact<"cross_entropy_grad", CrossEntropyGrad>);

}  // namespace
}  // namespace acme
