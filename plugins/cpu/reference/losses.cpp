// Losses: how far predictions are from targets, as one number; the mean over nothing is NaN.
#include "provider.h"
#include "rows.h"

namespace tenon::cpu::reference {
namespace {

using Label = std::uint32_t;

template <class T>
class MseLoss {
 public:
  using dtypes = T(T, T);
  static constexpr tenon_numerics numerics = plugin::strict_numerics(TENON_REDUCTION_FIXED_TREE);

  explicit MseLoss(const SignatureView& signature) : elements_(signature.operand(0).elements()) {
    if (signature.operand(1).elements() != elements_) {
      plugin::refuse("[mse_loss] prediction ", signature.operand(0).shape(), ", target ", signature.operand(1).shape());
    }
  }

  void operator()(const Arguments& arguments) const {
    const T* prediction = arguments.operand<T>(0);
    const T* target = arguments.operand<T>(1);
    const auto square = [=](std::uint64_t i) {
      const T difference = prediction[i] - target[i];
      return difference * difference;
    };
    *arguments.output<T>() = strict::tree_sum<T>(elements_, square) / static_cast<T>(elements_);
  }

 private:
  std::uint64_t elements_;
};

/// The rows of logits and one label for each.
class LabelledRows {
 public:
  LabelledRows(const SignatureView& signature, std::uint32_t labels)
      : rows_(Rows::of(signature.operand(0))), axis_(signature.operand(0).rank() - 1), op_(signature.op()) {
    const TensorView logits = signature.operand(0);
    if (logits.rank() == 0 || signature.operand(labels).elements() * rows_.length != logits.elements()) {
      plugin::refuse("[", op_, "] logits ", logits.shape(), ", labels ", signature.operand(labels).shape());
    }
  }
  std::uint64_t count() const { return rows_.count; }
  std::uint64_t classes() const { return rows_.length; }

  /// Before anything is read with a label.
  void check(const Label* labels) const {
    for (std::uint64_t row = 0; row < count(); ++row) {
      if (labels[row] < classes()) continue;
      plugin::refuse("[", op_, "] labels: element ", row, " is ", labels[row], ", but axis ", axis_,
                     " of logits has size ", classes());
    }
  }

 private:
  Rows rows_;
  std::size_t axis_;
  std::string op_;
};

template <class T>
class CrossEntropy {
 public:
  using dtypes = T(T, Label);
  static constexpr tenon_numerics numerics = plugin::strict_numerics(TENON_REDUCTION_FIXED_TREE);

  explicit CrossEntropy(const SignatureView& signature) : rows_(signature, 1) {}

  void operator()(const Arguments& arguments) const {
    const T* logits = arguments.operand<T>(0);
    const Label* labels = arguments.operand<Label>(1);
    rows_.check(labels);
    const auto loss = [=, this](std::uint64_t row) { return row_loss(logits + row * rows_.classes(), labels[row]); };
    *arguments.output<T>() = strict::tree_sum<T>(rows_.count(), loss) / static_cast<T>(rows_.count());
  }

 private:
  T row_loss(const T* x, Label label) const {
    const T m = greatest(x, rows_.classes());
    return -((x[label] - m) - log_of_sum(x, rows_.classes(), m));
  }
  LabelledRows rows_;
};

/// (logits, upstream, labels): (softmax(logits) - one at the label) * (upstream / rows)
template <class T>
class CrossEntropyGrad {
 public:
  using dtypes = T(T, T, Label);
  static constexpr bool in_place = true;
  static constexpr bool differentiable = false;
  static constexpr tenon_numerics numerics = plugin::strict_numerics(TENON_REDUCTION_FIXED_TREE);

  explicit CrossEntropyGrad(const SignatureView& signature) : rows_(signature, 2) {
    if (signature.operand(1).elements() != 1) {
      plugin::refuse("[cross_entropy_grad] upstream ", signature.operand(1).shape(), ", expected one element");
    }
  }

  void operator()(const Arguments& arguments) const {
    const T* logits = arguments.operand<T>(0);
    const Label* labels = arguments.operand<Label>(2);
    rows_.check(labels);
    const T share = *arguments.operand<T>(1) / static_cast<T>(rows_.count());
    T* output = arguments.output<T>();
    const std::uint64_t classes = rows_.classes();
    plugin::for_ranges(rows_.count(), rows_per_range(20 * classes), [=](std::uint64_t begin, std::uint64_t end) {
      for (std::uint64_t row = begin; row < end; ++row) {
        row_gradient(logits + row * classes, labels[row], share, output + row * classes, classes);
      }
    });
  }

 private:
  static void row_gradient(const T* x, Label label, T share, T* output, std::uint64_t classes) {
    softmax_row(x, output, classes);
    output[label] = output[label] - 1;
    for (std::uint64_t i = 0; i < classes; ++i) output[i] = output[i] * share;
  }
  LabelledRows rows_;
};

TENON_CAPSULES capsules = plugin::join(both<"mse_loss", MseLoss>, both<"cross_entropy", CrossEntropy>,
                                       both<"cross_entropy_grad", CrossEntropyGrad>);

}  // namespace
}  // namespace tenon::cpu::reference
