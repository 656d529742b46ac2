// Convolution: its shapes are those of one that goes from `input` to `output`; a transposed one goes back.
#include "kernel.h"
#include "taps.h"

namespace tenon::vulkan {
namespace {

constexpr auto window_attributes = plugin::names("stride", "padding", "dilation", "groups");
constexpr tenon_numerics fold_numerics = plugin::strict_numerics(TENON_REDUCTION_FIXED_LEFT);

struct Convolution {
  Taps taps;
  std::int64_t batch, inputs, outputs, groups;

  Convolution(const SignatureView& s, const TensorView& input, const TensorView& weight, const TensorView& output)
      : taps(taps_of(s, input, weight, output)),
        batch(input.extent(0)),
        inputs(input.extent(1)),
        outputs(output.extent(1)),
        groups(s.integer("groups", 1)) {
    const bool fits = output.extent(0) == batch && groups >= 1 && weight.extent(0) == outputs &&
                      outputs % groups == 0 && weight.extent(1) * groups == inputs;
    if (!fits) refuse(s, input, weight, output);
  }
  void put(Push& push, std::uint64_t count) const {
    taps.put(push);
    push.count(count);
    for (const std::int64_t number : {batch, inputs, outputs, groups}) push.count(static_cast<std::uint64_t>(number));
  }

 private:
  [[noreturn]] static void refuse(const SignatureView& s, const TensorView& input, const TensorView& weight,
                                  const TensorView& output) {
    plugin::refuse("[", s.op(), "] input ", input.shape(), ", weight ", weight.shape(), ", output ", output.shape());
  }
  static Taps taps_of(const SignatureView& s, const TensorView& input, const TensorView& weight,
                      const TensorView& output) {
    if (weight.rank() < 3 || input.rank() != weight.rank() || output.rank() != weight.rank())
      refuse(s, input, weight, output);
    return Taps::of(s, input.shape().subspan(2), weight.shape().subspan(2), output.shape().subspan(2), false);
  }
};

void check_bias(const SignatureView& s, std::int64_t channels) {
  const TensorView bias = s.operand(2);
  if (bias.elements() == static_cast<std::uint64_t>(channels)) return;
  plugin::refuse("[", s.op(), "] bias ", bias.shape(), " for ", channels, " channels");
}

/// What the four have in common: a pass over the elements of the result.
template <class T>
struct Folds {
  using dtypes = T(T, T, T);
  static constexpr auto attributes = window_attributes;
  static constexpr tenon_numerics numerics = fold_numerics;
  static bool supports(const SignatureView& s, Reason& why) { return serves_taps(s, why); }

  static Plan pass(const SignatureView& s, std::uint32_t shader_number, const Convolution& shapes,
                   std::initializer_list<std::uint32_t> operands) {
    Plan plan;
    Pass& pass = plan.add(shader_number);
    for (const std::uint32_t operand : operands) pass.reads(s, operand);
    pass.writes(s).over(s.output().elements());
    shapes.put(pass.push, s.output().elements());
    return plan;
  }
};

template <class T>
struct Conv : Folds<T> {
  Plan plan(const SignatureView& s) const {
    const Convolution shapes(s, s.operand(0), s.operand(1), s.output());
    check_bias(s, shapes.outputs);
    return this->pass(s, shader("convolution.conv"), shapes, {0, 1, 2});
  }
};

/// Its x is what a convolution's output is, and its result what that one's input is.
template <class T>
struct ConvTranspose : Folds<T> {
  Plan plan(const SignatureView& s) const {
    const Convolution shapes(s, s.output(), s.operand(1), s.operand(0));
    check_bias(s, shapes.inputs);
    return this->pass(s, shader("convolution.conv_transpose"), shapes, {0, 1, 2});
  }
};

/// (x, weight, upstream)
template <class T>
struct ConvGradInput : Folds<T> {
  static constexpr bool differentiable = false;
  Plan plan(const SignatureView& s) const {
    const Convolution shapes(s, s.output(), s.operand(1), s.operand(2));
    return this->pass(s, shader("convolution.conv_grad_input"), shapes, {2, 1});
  }
};

/// (x, weight, upstream)
template <class T>
struct ConvGradWeight : Folds<T> {
  static constexpr bool differentiable = false;
  Plan plan(const SignatureView& s) const {
    const Convolution shapes(s, s.operand(0), s.output(), s.operand(2));
    return this->pass(s, shader("convolution.conv_grad_weight"), shapes, {0, 2});
  }
};

TENON_CAPSULES capsules =
    plugin::join(both<"conv", Conv>, both<"conv_transpose", ConvTranspose>, both<"conv_grad_input", ConvGradInput>,
                 both<"conv_grad_weight", ConvGradWeight>);

}  // namespace
}  // namespace tenon::vulkan
