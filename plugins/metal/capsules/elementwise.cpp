// Elementwise operations: a line here, a kernel in kernels/elementwise.metal, the expression in tenon/elementwise.h.
#include <limits>

#include "kernel.h"

namespace tenon::metal {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

template <std::size_t Operands>
struct Same;
template <>
struct Same<1> {
  using type = float(float);
};
template <>
struct Same<2> {
  using type = float(float, float);
};
template <>
struct Same<3> {
  using type = float(float, float, float);
};

/// An attribute that an expression takes as a parameter.
enum class Parameter : std::uint8_t { factor, low, high, epsilon };
struct Attribute {
  const char* name;
  double otherwise;
};
constexpr Attribute attribute_of(Parameter parameter) {
  constexpr Attribute all[] = {{"factor", 1}, {"low", -infinity}, {"high", infinity}, {"epsilon", 1e-6}};
  return all[static_cast<std::size_t>(parameter)];
}

Plan plan_of(const SignatureView& s, const char* kernel, std::size_t operands, std::array<float, 2> parameters) {
  Plan plan;
  Pass& pass = plan.add(kernel);
  for (std::uint32_t i = 0; i < operands; ++i) pass.reads(s, i);
  pass.writes(s).over_fours(s.output().elements());
  pass.constants = tenon_metal::Elementwise{count32(s.output().elements()), parameters[0], parameters[1]};
  return plan;
}

template <plugin::FixedText Name, std::size_t Operands, bool Differentiable, Parameter... Parameters>
struct Elementwise {
  using dtypes = typename Same<Operands>::type;
  static constexpr bool in_place = true;  // every element is read before its place is written
  static constexpr bool differentiable = Differentiable;
  static constexpr auto attributes = std::array<const char*, sizeof...(Parameters)>{attribute_of(Parameters).name...};

  Plan plan(const SignatureView& s) const {
    return plan_of(s, plugin::detail::text_of<Name>.characters, Operands,
                   {static_cast<float>(s.real(attribute_of(Parameters).name, attribute_of(Parameters).otherwise))...});
  }
};

template <plugin::FixedText Op>
constexpr auto kernel_of = plugin::FixedText("elementwise_") + Op;

template <plugin::FixedText Op, std::size_t Operands, Parameter... Parameters>
constexpr auto elementwise = strict<Op, Elementwise<kernel_of<Op>, Operands, true, Parameters...>>;
template <plugin::FixedText Op, std::size_t Operands, Parameter... Parameters>
constexpr auto gradient = strict<Op, Elementwise<kernel_of<Op>, Operands, false, Parameters...>>;

/// gelu and its gradient have two expressions.
template <std::size_t Operands, plugin::FixedText Exact, plugin::FixedText ByTanh>
struct Gelu : Elementwise<Exact, Operands, Operands == 1> {
  static constexpr auto attributes = plugin::names("tanh");
  Plan plan(const SignatureView& s) const {
    return plan_of(
        s,
        s.flag("tanh", false) ? plugin::detail::text_of<ByTanh>.characters : plugin::detail::text_of<Exact>.characters,
        Operands, {});
  }
};

/// Ends of Metal's own elementary functions.
template <plugin::FixedText Op>
constexpr auto by_hardware = fast<Op, Elementwise<plugin::FixedText("fast_") + Op, 1, true>>;

/// gelu without its other expression.
struct FastGelu : Elementwise<"fast_gelu", 1, true> {};

using enum Parameter;

TENON_CAPSULES capsules = plugin::join(
    elementwise<"add", 2>, elementwise<"sub", 2>, elementwise<"mul", 2>, elementwise<"div", 2>,
    elementwise<"maximum", 2>, elementwise<"minimum", 2>, elementwise<"scale", 1, factor>, elementwise<"neg", 1>,
    elementwise<"relu", 1>, elementwise<"sqrt", 1>, elementwise<"abs", 1>, elementwise<"sign", 1>,
    elementwise<"clamp", 1, low, high>, elementwise<"inv", 1>, elementwise<"equal", 2>, elementwise<"less", 2>,
    elementwise<"where", 3>, elementwise<"sigmoid", 1>, elementwise<"tanh", 1>, elementwise<"exp", 1>,
    elementwise<"log", 1>, elementwise<"softplus", 1>, elementwise<"sin", 1>, elementwise<"cos", 1>,
    elementwise<"erf", 1>, elementwise<"safe_log", 1, epsilon>,
    strict<"gelu", Gelu<1, kernel_of<"gelu">, kernel_of<"gelu_tanh">>>,
    strict<"gelu_grad", Gelu<2, kernel_of<"gelu_grad">, kernel_of<"gelu_tanh_grad">>>, gradient<"maximum_grad", 3>,
    gradient<"minimum_grad", 3>, gradient<"relu_grad", 2>, gradient<"sigmoid_grad", 2>, gradient<"tanh_grad", 2>,
    gradient<"sqrt_grad", 2>, gradient<"clamp_grad", 2, low, high>, gradient<"erf_grad", 2>);

TENON_CAPSULES fast_capsules =
    plugin::join(by_hardware<"exp">, by_hardware<"log">, by_hardware<"sin">, by_hardware<"cos">, by_hardware<"tanh">,
                 by_hardware<"sigmoid">, by_hardware<"softplus">, by_hardware<"erf">, fast<"gelu", FastGelu>);

}  // namespace
}  // namespace tenon::metal
