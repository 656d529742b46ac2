// Convolution: tiled products over windows (kernels/convolution.cu).
#include "products.h"
#include "taps.h"

namespace tenon::gpu {
namespace {

constexpr std::string_view family = "convolution";
constexpr auto window_attributes = names("stride", "padding", "dilation", "groups");

/// The shapes of a convolution that goes from `input` (batch, channels, ...) to `output`; a transposed one goes back.
struct Convolution {
  TapShape taps;
  Channels channels;

  Convolution(const SignatureView& signature, const TensorView& input, const TensorView& weight,
              const TensorView& output)
      : taps(taps_of(signature, input, weight, output)), channels(channels_of(signature, input, weight, output)) {}

  std::uint64_t products() const {
    return static_cast<std::uint64_t>(channels.batch) * static_cast<std::uint64_t>(channels.outputs) *
           static_cast<std::uint64_t>(channels.inputs_per_group()) * static_cast<std::uint64_t>(taps.kernel()) *
           static_cast<std::uint64_t>(taps.outputs());
  }

 private:
  [[noreturn]] static void refuse_shapes(const SignatureView& signature, const TensorView& input,
                                         const TensorView& weight, const TensorView& output) {
    refuse("[", signature.op(), "] input ", input.shape(), ", weight ", weight.shape(), ", output ", output.shape());
  }
  static TapShape taps_of(const SignatureView& signature, const TensorView& input, const TensorView& weight,
                          const TensorView& output) {
    if (weight.rank() < 3 || input.rank() != weight.rank() || output.rank() != weight.rank())
      refuse_shapes(signature, input, weight, output);
    return {signature, input.shape().subspan(2), weight.shape().subspan(2), output.shape().subspan(2), false};
  }
  static Channels channels_of(const SignatureView& signature, const TensorView& input, const TensorView& weight,
                              const TensorView& output) {
    const std::int64_t batch = input.extent(0), inputs = input.extent(1), outputs = output.extent(1);
    const std::int64_t groups = signature.integer("groups", 1);
    const bool fits = output.extent(0) == batch && groups >= 1 && weight.extent(0) == outputs &&
                      outputs % groups == 0 && weight.extent(1) * groups == inputs;
    if (!fits || std::max({batch, inputs, outputs}) > INT32_MAX) refuse_shapes(signature, input, weight, output);
    return {static_cast<std::int32_t>(batch), static_cast<std::int32_t>(inputs), static_cast<std::int32_t>(outputs),
            static_cast<std::int32_t>(groups)};
  }
};

void check_bias(const SignatureView& signature, std::int32_t channels) {
  const TensorView bias = signature.operand(2);
  if (bias.elements() != static_cast<std::uint64_t>(channels))
    refuse("[", signature.op(), "] bias ", bias.shape(), " for ", channels, " channels");
}

/// A tiled product for each group. Of more than two axes there are small tiles alone, and no fused products.
template <class T, class Kind, class... A>
void multiply_windows(Plan& plan, const char* kernel, const Convolution& shapes, const Extents& extents,
                      A... arguments) {
  const auto groups = static_cast<std::uint64_t>(shapes.channels.groups);
  const bool narrow = shapes.taps.narrow();
  const unsigned side = narrow ? std::min(64U, tile_side<T>(plan, extents, groups)) : 32;
  plan.count_flops(2 * shapes.products());
  shapes.taps.with_taps([&](const auto& taps) {
    plan.launch(family,
                plugin::text(kernel, "_", narrow ? Kind::kind : StrictProducts::kind, shapes.taps.suffix(), "_", side),
                extents.tiles(side) * groups, taps, shapes.channels, arguments...);
  });
}

template <class T, class Kind>
struct Conv : Kind {
  using dtypes = T(T, T, T);
  static constexpr auto attributes = window_attributes;
  static void plan(Plan& plan) {
    const SignatureView& s = plan.signature();
    const Convolution shapes(s, s.operand(0), s.operand(1), s.output());
    check_bias(s, shapes.channels.outputs);
    if (s.output().elements() == 0) return;
    const auto outputs = static_cast<std::uint64_t>(shapes.taps.outputs());
    const Extents extents{static_cast<std::uint64_t>(shapes.channels.outputs_per_group()),
                          outputs * static_cast<std::uint64_t>(shapes.channels.batch), 0};
    multiply_windows<T, Kind>(plan, "conv", shapes, extents, Output{}, Operand{0}, Operand{1}, Operand{2});
  }
};

/// (x, weight, upstream)
template <class T, class Kind>
struct ConvGradWeight : Kind, NotDifferentiable {
  using dtypes = T(T, T, T);
  static constexpr auto attributes = window_attributes;
  static void plan(Plan& plan) {
    const SignatureView& s = plan.signature();
    const Convolution shapes(s, s.operand(0), s.output(), s.operand(2));
    if (s.output().elements() == 0) return;
    const auto columns = static_cast<std::uint64_t>(shapes.channels.inputs_per_group()) *
                         static_cast<std::uint64_t>(shapes.taps.kernel());
    const Extents extents{static_cast<std::uint64_t>(shapes.channels.outputs_per_group()), columns, 0};
    multiply_windows<T, Kind>(plan, "conv_grad_weight", shapes, extents, Output{}, Operand{0}, Operand{2});
  }
};

/// What goes back to the input.
template <class T, class Kind, class... A>
void fold_back(Plan& plan, const char* kernel, const Convolution& shapes, A... arguments) {
  if (plan.signature().output().elements() == 0) return;
  const Extents extents{
      static_cast<std::uint64_t>(shapes.channels.inputs_per_group()),
      static_cast<std::uint64_t>(shapes.taps.inputs()) * static_cast<std::uint64_t>(shapes.channels.batch), 0};
  multiply_windows<T, Kind>(plan, kernel, shapes, extents, arguments...);
}

/// Its x is what a convolution's output is, and its result what that one's input is.
template <class T, class Kind>
struct ConvTranspose : Kind {
  using dtypes = T(T, T, T);
  static constexpr auto attributes = window_attributes;
  static void plan(Plan& plan) {
    const SignatureView& s = plan.signature();
    const Convolution shapes(s, s.output(), s.operand(1), s.operand(0));
    check_bias(s, shapes.channels.inputs);
    fold_back<T, Kind>(plan, "conv_transpose", shapes, Output{}, Operand{0}, Operand{1}, Operand{2});
  }
};

/// (x, weight, upstream)
template <class T, class Kind>
struct ConvGradInput : Kind, NotDifferentiable {
  using dtypes = T(T, T, T);
  static constexpr auto attributes = window_attributes;
  static void plan(Plan& plan) {
    const SignatureView& s = plan.signature();
    const Convolution shapes(s, s.output(), s.operand(1), s.operand(2));
    fold_back<T, Kind>(plan, "conv_grad_input", shapes, Output{}, Operand{1}, Operand{2});
  }
};

template <template <class, class> class Rule>
struct Of {
  template <class T>
  using Strict = Rule<T, StrictProducts>;
  template <class T>
  using Fused = Rule<T, FusedProducts>;
};

TENON_CAPSULES capsules = plugin::join(
    both<"conv", Of<Conv>::Strict>, both<"conv_transpose", Of<ConvTranspose>::Strict>,
    both<"conv_grad_input", Of<ConvGradInput>::Strict>, both<"conv_grad_weight", Of<ConvGradWeight>::Strict>,
    both<"conv", Of<Conv>::Fused, NativeFused>, both<"conv_transpose", Of<ConvTranspose>::Fused, NativeFused>,
    both<"conv_grad_input", Of<ConvGradInput>::Fused, NativeFused>,
    both<"conv_grad_weight", Of<ConvGradWeight>::Fused, NativeFused>);

}  // namespace
}  // namespace tenon::gpu
