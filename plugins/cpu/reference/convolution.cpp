// Convolution. Each element is a fold from +0 in the order of docs/numerics.md, the product rounded, then added.
//
// The loops over an input's channels and the kernel's positions stand outside, those over a plane of outputs inside:
// that keeps the order of every element and lets the compiler use its vectors.
#include "taps.h"

namespace tenon::cpu::reference {
namespace {

/// The shapes of a convolution that goes from `input` (batch, channels, ...) to `output`; a transposed one goes back.
class Convolution {
 public:
  Convolution(const SignatureView& signature, const TensorView& input, const TensorView& weight,
              const TensorView& output)
      : taps_(taps_of(signature, input, weight, output)),
        batch_(input.extent(0)),
        inputs_(input.extent(1)),
        outputs_(output.extent(1)),
        groups_(signature.integer("groups", 1)) {
    const bool fits = output.extent(0) == batch_ && groups_ >= 1 && weight.extent(0) == outputs_ &&
                      outputs_ % groups_ == 0 && weight.extent(1) * groups_ == inputs_;
    if (!fits) refuse(signature, input, weight, output);
  }

  const Taps& taps() const { return taps_; }
  std::int64_t batch() const { return batch_; }
  std::int64_t input_channels() const { return inputs_; }
  std::int64_t output_channels() const { return outputs_; }
  std::int64_t inputs_per_group() const { return inputs_ / groups_; }
  std::int64_t outputs_per_group() const { return outputs_ / groups_; }
  std::uint64_t products() const {
    return static_cast<std::uint64_t>(batch_ * outputs_ * inputs_per_group() * taps_.kernel() * taps_.outputs());
  }
  std::uint64_t grain(std::int64_t results) const {
    return rows_per_range(products() / static_cast<std::uint64_t>(std::max<std::int64_t>(results, 1)));
  }

 private:
  [[noreturn]] static void refuse(const SignatureView& signature, const TensorView& input, const TensorView& weight,
                                  const TensorView& output) {
    plugin::refuse("[", signature.op(), "] input ", input.shape(), ", weight ", weight.shape(), ", output ",
                   output.shape());
  }
  static Taps taps_of(const SignatureView& signature, const TensorView& input, const TensorView& weight,
                      const TensorView& output) {
    if (weight.rank() < 3 || input.rank() != weight.rank() || output.rank() != weight.rank()) {
      refuse(signature, input, weight, output);
    }
    return Taps::of(signature, input.shape().subspan(2), weight.shape().subspan(2), output.shape().subspan(2), false);
  }
  Taps taps_;
  std::int64_t batch_, inputs_, outputs_, groups_;
};

constexpr auto window_attributes = plugin::names("stride", "padding", "dilation", "groups");
constexpr tenon_numerics fold_numerics = plugin::strict_numerics(TENON_REDUCTION_FIXED_LEFT);

/// Calls body(number) for each of so many results, on the host's threads.
template <class Body>
void for_each_result(std::int64_t results, std::uint64_t grain, const Body& body) {
  plugin::for_ranges(static_cast<std::uint64_t>(results), grain, [&](std::uint64_t begin, std::uint64_t end) {
    for (std::uint64_t i = begin; i < end; ++i) body(static_cast<std::int64_t>(i));
  });
}

template <class T>
class Conv {
 public:
  using dtypes = T(T, T, T);
  static constexpr auto attributes = window_attributes;
  static constexpr tenon_numerics numerics = fold_numerics;

  explicit Conv(const SignatureView& signature)
      : shapes_(signature, signature.operand(0), signature.operand(1), signature.output()) {
    const TensorView bias = signature.operand(2);
    if (bias.elements() != static_cast<std::uint64_t>(shapes_.output_channels())) {
      plugin::refuse("[conv] bias ", bias.shape(), " for ", shapes_.output_channels(), " channels");
    }
  }

  void operator()(const Arguments& arguments) const {
    const T *x = arguments.operand<T>(0), *weight = arguments.operand<T>(1), *bias = arguments.operand<T>(2);
    T* output = arguments.output<T>();
    const std::int64_t channels = shapes_.output_channels(), planes = shapes_.batch() * channels;
    for_each_result(planes, shapes_.grain(planes), [=, this](std::int64_t plane) {
      T* to = output + plane * shapes_.taps().outputs();
      fold_plane(to, x, weight, plane / channels, plane % channels);
      for (std::int64_t i = 0; i < shapes_.taps().outputs(); ++i) to[i] += bias[plane % channels];
    });
  }
  std::uint64_t flops() const { return 2 * shapes_.products(); }

 private:
  void fold_plane(T* to, const T* x, const T* weight, std::int64_t sample, std::int64_t channel) const {
    const Taps& taps = shapes_.taps();
    const std::int64_t depth = shapes_.inputs_per_group();
    const std::int64_t first = sample * shapes_.input_channels() + channel / shapes_.outputs_per_group() * depth;
    std::fill(to, to + taps.outputs(), T(0));
    for (std::int64_t c = 0; c < depth; ++c) {
      for (std::int64_t k = 0; k < taps.kernel(); ++k) {
        add_taps(to, x + (first + c) * taps.inputs(), weight[(channel * depth + c) * taps.kernel() + k], k);
      }
    }
  }

  void add_taps(T* to, const T* x, T weight, std::int64_t k) const {
    const std::int64_t length = shapes_.taps().row_length(), stride = shapes_.taps().stride();
    const T padded = T(0) * weight;  // NaN for a weight that is not finite
    shapes_.taps().for_each_row(k, [=](const Taps::Row& row) {
      T* sums = to + row.output;
      for (std::int64_t j = 0; j < row.first; ++j) sums[j] += padded;
      for (std::int64_t j = row.first; j < row.last; ++j) sums[j] += x[row.input + j * stride] * weight;
      for (std::int64_t j = row.last; j < length; ++j) sums[j] += padded;
    });
  }
  Convolution shapes_;
};

/// One plane of what a convolution's input would be, from all that its output has of it.
template <class T>
void fold_back(const Convolution& shapes, T* to, const T* from, const T* weight, std::int64_t sample,
               std::int64_t channel) {
  const Taps& taps = shapes.taps();
  const std::int64_t depth = shapes.outputs_per_group(), width = shapes.inputs_per_group(), stride = taps.stride();
  const std::int64_t first = channel / width * depth;
  std::fill(to, to + taps.inputs(), T(0));
  for (std::int64_t o = first; o < first + depth; ++o) {
    const T* plane = from + (sample * shapes.output_channels() + o) * taps.outputs();
    for (std::int64_t k = 0; k < taps.kernel(); ++k) {
      const T factor = weight[(o * width + channel % width) * taps.kernel() + k];
      taps.for_each_row(k, [=](const Taps::Row& row) {
        for (std::int64_t j = row.first; j < row.last; ++j)
          to[row.input + j * stride] += plane[row.output + j] * factor;
      });
    }
  }
}

/// Its x is what a convolution's output is, and its result what that one's input is.
template <class T>
class ConvTranspose {
 public:
  using dtypes = T(T, T, T);
  static constexpr auto attributes = window_attributes;
  static constexpr tenon_numerics numerics = fold_numerics;

  explicit ConvTranspose(const SignatureView& signature)
      : shapes_(signature, signature.output(), signature.operand(1), signature.operand(0)) {
    const TensorView bias = signature.operand(2);
    if (bias.elements() != static_cast<std::uint64_t>(shapes_.input_channels())) {
      plugin::refuse("[conv_transpose] bias ", bias.shape(), " for ", shapes_.input_channels(), " channels");
    }
  }

  void operator()(const Arguments& arguments) const {
    const T *x = arguments.operand<T>(0), *weight = arguments.operand<T>(1), *bias = arguments.operand<T>(2);
    T* output = arguments.output<T>();
    const std::int64_t channels = shapes_.input_channels(), planes = shapes_.batch() * channels;
    for_each_result(planes, shapes_.grain(planes), [=, this](std::int64_t plane) {
      T* to = output + plane * shapes_.taps().inputs();
      fold_back(shapes_, to, x, weight, plane / channels, plane % channels);
      for (std::int64_t i = 0; i < shapes_.taps().inputs(); ++i) to[i] += bias[plane % channels];
    });
  }
  std::uint64_t flops() const { return 2 * shapes_.products(); }

 private:
  Convolution shapes_;
};

/// (x, weight, upstream)
template <class T>
class ConvGradInput {
 public:
  using dtypes = T(T, T, T);
  static constexpr auto attributes = window_attributes;
  static constexpr tenon_numerics numerics = fold_numerics;
  static constexpr bool differentiable = false;

  explicit ConvGradInput(const SignatureView& signature)
      : shapes_(signature, signature.output(), signature.operand(1), signature.operand(2)) {}

  void operator()(const Arguments& arguments) const {
    const T *weight = arguments.operand<T>(1), *upstream = arguments.operand<T>(2);
    T* output = arguments.output<T>();
    const std::int64_t channels = shapes_.input_channels(), planes = shapes_.batch() * channels;
    for_each_result(planes, shapes_.grain(planes), [=, this](std::int64_t plane) {
      fold_back(shapes_, output + plane * shapes_.taps().inputs(), upstream, weight, plane / channels,
                plane % channels);
    });
  }
  std::uint64_t flops() const { return 2 * shapes_.products(); }

 private:
  Convolution shapes_;
};

/// (x, weight, upstream)
template <class T>
class ConvGradWeight {
 public:
  using dtypes = T(T, T, T);
  static constexpr auto attributes = window_attributes;
  static constexpr tenon_numerics numerics = fold_numerics;
  static constexpr bool differentiable = false;

  explicit ConvGradWeight(const SignatureView& signature)
      : shapes_(signature, signature.operand(0), signature.output(), signature.operand(2)) {}

  void operator()(const Arguments& arguments) const {
    const T *x = arguments.operand<T>(0), *upstream = arguments.operand<T>(2);
    T* output = arguments.output<T>();
    const std::int64_t depth = shapes_.inputs_per_group(), kernel = shapes_.taps().kernel();
    const std::int64_t elements = shapes_.output_channels() * depth * kernel;
    for_each_result(elements, shapes_.grain(elements), [=, this](std::int64_t element) {
      const std::int64_t pair = element / kernel, channel = pair / depth;
      const std::int64_t from = channel / shapes_.outputs_per_group() * depth + pair % depth;
      output[element] = fold_samples(x, upstream, from, channel, element % kernel);
    });
  }
  std::uint64_t flops() const { return 2 * shapes_.products(); }

 private:
  T fold_samples(const T* x, const T* upstream, std::int64_t from, std::int64_t channel, std::int64_t k) const {
    T sum = 0;
    for (std::int64_t n = 0; n < shapes_.batch(); ++n) {
      sum = fold_plane(sum, x + (n * shapes_.input_channels() + from) * shapes_.taps().inputs(),
                       upstream + (n * shapes_.output_channels() + channel) * shapes_.taps().outputs(), k);
    }
    return sum;
  }

  T fold_plane(T sum, const T* x, const T* upstream, std::int64_t k) const {
    const std::int64_t length = shapes_.taps().row_length(), stride = shapes_.taps().stride();
    shapes_.taps().for_each_row(k, [=, &sum](const Taps::Row& row) {
      const T* from = upstream + row.output;
      for (std::int64_t j = 0; j < row.first; ++j) sum += T(0) * from[j];
      for (std::int64_t j = row.first; j < row.last; ++j) sum += x[row.input + j * stride] * from[j];
      for (std::int64_t j = row.last; j < length; ++j) sum += T(0) * from[j];
    });
    return sum;
  }
  Convolution shapes_;
};

TENON_CAPSULES capsules =
    plugin::join(both<"conv", Conv>, both<"conv_transpose", ConvTranspose>, both<"conv_grad_input", ConvGradInput>,
                 both<"conv_grad_weight", ConvGradWeight>);

}  // namespace
}  // namespace tenon::cpu::reference
