// Convolution: its shapes are those of one that goes from `input` to `output`; a transposed one goes back.
#include "kernel.h"
#include "products.h"
#include "taps.h"

namespace tenon::metal {
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
  tenon_metal::Convolution constants(std::uint64_t count) const {
    tenon_metal::Convolution constants{};
    taps.put(constants);
    constants.count = count32(count);
    constants.batch = count32(batch);
    constants.input_channels = count32(inputs);
    constants.output_channels = count32(outputs);
    constants.groups = count32(groups);
    return constants;
  }
  std::uint64_t inputs_of_group() const { return static_cast<std::uint64_t>(inputs / groups); }
  std::uint64_t outputs_of_group() const { return static_cast<std::uint64_t>(outputs / groups); }

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

/// What the four have in common.
struct Folds {
  using dtypes = float(float, float, float);
  static constexpr auto attributes = window_attributes;
  static constexpr tenon_numerics numerics = fold_numerics;
  static bool supports(const SignatureView& s, Reason& why) { return serves_taps(s, why); }

 protected:
  static void bind(Pass& pass, const SignatureView& s, const Convolution& shapes,
                   std::initializer_list<std::uint32_t> operands) {
    for (const std::uint32_t operand : operands) pass.reads(s, operand);
    pass.writes(s).constants = shapes.constants(s.output().elements());
  }
};

struct Conv : Folds {
  Plan plan(const SignatureView& s) const {
    const Convolution shapes(s, s.operand(0), s.operand(1), s.output());
    check_bias(s, shapes.outputs);
    Plan plan;
    Pass& pass = add_tiles(plan, {"convolution_conv", "convolution_conv_small"}, shapes.outputs_of_group(),
                           shapes.taps.outputs(), static_cast<std::uint64_t>(shapes.batch * shapes.groups));
    bind(pass, s, shapes, {0, 1, 2});
    return plan;
  }
};

/// Its x is what a convolution's output is, and its result what that one's input is.
struct ConvTranspose : Folds {
  Plan plan(const SignatureView& s) const {
    const Convolution shapes(s, s.output(), s.operand(1), s.operand(0));
    check_bias(s, shapes.inputs);
    Plan plan;
    bind(plan.add("convolution_conv_transpose").over(s.output().elements()), s, shapes, {0, 1, 2});
    return plan;
  }
};

/// (x, weight, upstream)
struct ConvGradInput : Folds {
  static constexpr bool differentiable = false;
  Plan plan(const SignatureView& s) const {
    const Convolution shapes(s, s.output(), s.operand(1), s.operand(2));
    Plan plan;
    bind(plan.add("convolution_conv_grad_input").over(s.output().elements()), s, shapes, {2, 1});
    return plan;
  }
};

/// (x, weight, upstream)
struct ConvGradWeight : Folds {
  static constexpr bool differentiable = false;
  Plan plan(const SignatureView& s) const {
    const Convolution shapes(s, s.operand(0), s.output(), s.operand(2));
    Plan plan;
    Pass& pass = add_tiles(plan, {"convolution_conv_grad_weight", "convolution_conv_grad_weight_small"},
                           shapes.outputs_of_group(), shapes.inputs_of_group() * shapes.taps.kernel(),
                           static_cast<std::uint64_t>(shapes.groups));
    bind(pass, s, shapes, {0, 2});
    return plan;
  }
};

TENON_CAPSULES capsules =
    plugin::join(strict<"conv", Conv>, strict<"conv_transpose", ConvTranspose>,
                 strict<"conv_grad_input", ConvGradInput>, strict<"conv_grad_weight", ConvGradWeight>);

}  // namespace
}  // namespace tenon::metal
