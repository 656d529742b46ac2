// Normalisers: every row along the last axis becomes a distribution, or its logarithm, or gets another mean and
// variance.
#include "provider.h"
#include "rows.h"

namespace tenon::cpu::reference {
namespace {

template <class T>
struct SoftmaxRow {
  static void apply(const T* x, T* output, std::uint64_t count) { softmax_row(x, output, count); }
};

template <class T>
struct LogSoftmaxRow {
  static void apply(const T* x, T* output, std::uint64_t count) {
    const T m = greatest(x, count);
    const T log_sum = log_of_sum(x, count, m);
    for (std::uint64_t i = 0; i < count; ++i) output[i] = (x[i] - m) - log_sum;
  }
};

template <class T, template <class> class Row>
class Normaliser {
 public:
  using dtypes = T(T);
  static constexpr bool in_place = true;
  static constexpr tenon_numerics numerics = plugin::strict_numerics(TENON_REDUCTION_FIXED_TREE);

  explicit Normaliser(const SignatureView& signature) : rows_(Rows::of(signature.output())) {}

  void operator()(const Arguments& arguments) const {
    const T* x = arguments.operand<T>(0);
    T* output = arguments.output<T>();
    const auto grain = rows_per_range(20 * rows_.length);  // an exponential is some twenty operations
    plugin::for_ranges(rows_.count, grain, [=, length = rows_.length](std::uint64_t begin, std::uint64_t end) {
      for (std::uint64_t row = begin; row < end; ++row) Row<T>::apply(x + row * length, output + row * length, length);
    });
  }

 private:
  Rows rows_;
};

template <class T>
using Softmax = Normaliser<T, SoftmaxRow>;
template <class T>
using LogSoftmax = Normaliser<T, LogSoftmaxRow>;

/// In the bits of the gradient rule, whose five operations and their results in memory it saves.
template <class T>
struct SoftmaxGradientRow {
  static void apply(const T* y, const T* upstream, T* output, std::uint64_t count) {
    const T sum = strict::tree_sum<T>(count, [=](std::uint64_t i) { return upstream[i] * y[i]; });
    for (std::uint64_t i = 0; i < count; ++i) output[i] = y[i] * (upstream[i] - sum);
  }
};

template <class T>
struct LogSoftmaxGradientRow {
  static void apply(const T* y, const T* upstream, T* output, std::uint64_t count) {
    const T sum = strict::tree_sum<T>(count, [=](std::uint64_t i) { return upstream[i]; });
    for (std::uint64_t i = 0; i < count; ++i) output[i] = upstream[i] - strict::exp(y[i]) * sum;
  }
};

/// (x, result, cotangent)
template <class T, template <class> class Row>
class NormaliserVjp {
 public:
  using dtypes = T(T, T, T);
  static constexpr bool differentiable = false;
  static constexpr tenon_numerics numerics = plugin::strict_numerics(TENON_REDUCTION_FIXED_TREE);

  explicit NormaliserVjp(const SignatureView& signature) : rows_(Rows::of(signature.output())) {}

  void operator()(const Arguments& arguments) const {
    const T* y = arguments.operand<T>(1);
    const T* upstream = arguments.operand<T>(2);
    T* output = arguments.output<T>();
    plugin::for_ranges(rows_.count, rows_per_range(20 * rows_.length),
                       [=, n = rows_.length](std::uint64_t begin, std::uint64_t end) {
                         for (std::uint64_t row = begin; row < end; ++row)
                           Row<T>::apply(y + row * n, upstream + row * n, output + row * n, n);
                       });
  }

 private:
  Rows rows_;
};

template <class T>
using SoftmaxVjp = NormaliserVjp<T, SoftmaxGradientRow>;
template <class T>
using LogSoftmaxVjp = NormaliserVjp<T, LogSoftmaxGradientRow>;

/// (x, mask)
template <class T>
class HardMaskedSoftmax {
 public:
  using dtypes = T(T, T);
  static constexpr bool in_place = true;  // the mask's place too: an element of it is not read again once written
  static constexpr tenon_numerics numerics = plugin::strict_numerics(TENON_REDUCTION_FIXED_TREE);

  explicit HardMaskedSoftmax(const SignatureView& signature) : rows_(Rows::of(signature.output())) {
    if (signature.operand(1).elements() != signature.operand(0).elements()) {
      plugin::refuse("[hard_masked_softmax] x ", signature.operand(0).shape(), ", mask ", signature.operand(1).shape());
    }
  }

  void operator()(const Arguments& arguments) const {
    const T* x = arguments.operand<T>(0);
    const T* mask = arguments.operand<T>(1);
    T* output = arguments.output<T>();
    const auto grain = rows_per_range(20 * rows_.length);
    plugin::for_ranges(rows_.count, grain, [=, n = rows_.length](std::uint64_t begin, std::uint64_t end) {
      for (std::uint64_t row = begin; row < end; ++row)
        masked_softmax_row(x + row * n, mask + row * n, output + row * n, n);
    });
  }

 private:
  Rows rows_;
};

/// Refuses vectors that do not have one element for each of the `count` parts of x.
void check_vectors(const SignatureView& signature, std::uint64_t count) {
  for (std::uint32_t i = 1; i < signature.operand_count(); ++i) {
    if (signature.operand(i).elements() == count) continue;
    plugin::refuse("[", signature.op(), "] x ", signature.operand(0).shape(), ", operand ", i, " ",
                   signature.operand(i).shape());
  }
}

/// (x, weight, bias)
template <class T>
class LayerNorm {
 public:
  using dtypes = T(T, T, T);
  static constexpr auto attributes = plugin::names("epsilon");
  static constexpr tenon_numerics numerics = plugin::strict_numerics(TENON_REDUCTION_FIXED_TREE);

  explicit LayerNorm(const SignatureView& signature)
      : rows_(Rows::of(signature.output())), epsilon_(static_cast<T>(signature.real("epsilon", 1e-5))) {
    check_vectors(signature, rows_.length);
  }

  void operator()(const Arguments& arguments) const {
    const T* x = arguments.operand<T>(0);
    const T* weight = arguments.operand<T>(1);
    const T* bias = arguments.operand<T>(2);
    T* output = arguments.output<T>();
    const auto grain = rows_per_range(8 * rows_.length);
    plugin::for_ranges(rows_.count, grain, [=, this](std::uint64_t begin, std::uint64_t end) {
      for (std::uint64_t row = begin; row < end; ++row) {
        apply(x + row * rows_.length, weight, bias, output + row * rows_.length);
      }
    });
  }

 private:
  void apply(const T* x, const T* weight, const T* bias, T* output) const {
    const std::uint64_t count = rows_.length;
    const T mean = strict::tree_sum<T>(count, [=](std::uint64_t i) { return x[i]; }) / static_cast<T>(count);
    const auto square = [=](std::uint64_t i) { return (x[i] - mean) * (x[i] - mean); };
    const T variance = strict::tree_sum<T>(count, square) / static_cast<T>(count);
    const T deviation = strict::sqrt(variance + epsilon_);
    for (std::uint64_t i = 0; i < count; ++i) output[i] = (x[i] - mean) / deviation * weight[i] + bias[i];
  }
  Rows rows_;
  T epsilon_;
};

/// (x, mean, variance, weight, bias): x is planes of one channel each, the channels in turn.
template <class T>
class BatchNorm {
 public:
  using dtypes = T(T, T, T, T, T);
  static constexpr auto attributes = plugin::names("epsilon");

  explicit BatchNorm(const SignatureView& signature) : epsilon_(static_cast<T>(signature.real("epsilon", 1e-5))) {
    const TensorView x = signature.operand(0);
    if (x.rank() < 2) plugin::refuse("[batch_norm] x ", x.shape(), ", expected (batch, channels, ...)");
    channels_ = static_cast<std::uint64_t>(x.shape()[1]);
    check_vectors(signature, channels_);
    planes_ = x.elements() == 0 ? 0 : static_cast<std::uint64_t>(x.shape()[0]) * channels_;
    plane_ = planes_ == 0 ? 0 : x.elements() / planes_;
  }

  void operator()(const Arguments& arguments) const {
    plugin::for_ranges(planes_, rows_per_range(4 * plane_), [=, this](std::uint64_t begin, std::uint64_t end) {
      for (std::uint64_t plane = begin; plane < end; ++plane) apply(arguments, plane);
    });
  }

 private:
  void apply(const Arguments& arguments, std::uint64_t plane) const {
    const std::uint64_t channel = plane % channels_;
    const T* x = arguments.operand<T>(0) + plane * plane_;
    const T mean = arguments.operand<T>(1)[channel];
    const T deviation = strict::sqrt(arguments.operand<T>(2)[channel] + epsilon_);
    const T weight = arguments.operand<T>(3)[channel];
    const T bias = arguments.operand<T>(4)[channel];
    T* output = arguments.output<T>() + plane * plane_;
    for (std::uint64_t i = 0; i < plane_; ++i) output[i] = (x[i] - mean) / deviation * weight + bias;
  }
  T epsilon_;
  std::uint64_t channels_ = 0, planes_ = 0, plane_ = 0;
};

TENON_CAPSULES capsules =
    plugin::join(both<"softmax", Softmax>, both<"log_softmax", LogSoftmax>, both<"softmax.vjp", SoftmaxVjp>,
                 both<"log_softmax.vjp", LogSoftmaxVjp>, both<"hard_masked_softmax", HardMaskedSoftmax>,
                 both<"layer_norm", LayerNorm>, both<"batch_norm", BatchNorm>);

}  // namespace
}  // namespace tenon::cpu::reference
