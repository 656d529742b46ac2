// Elementwise operations: a line here, one in shaders/elementwise.comp, the expression in tenon/elementwise.h.
#include "kernel.h"

namespace tenon::vulkan {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

template <std::size_t Operands, class T>
struct Same;
template <class T>
struct Same<1, T> {
  using type = T(T);
};
template <class T>
struct Same<2, T> {
  using type = T(T, T);
};
template <class T>
struct Same<3, T> {
  using type = T(T, T, T);
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

template <std::uint32_t Shader, std::size_t Operands, bool Differentiable, Parameter... Parameters>
struct Elementwise {
  template <class T>
  struct Rule {
    using dtypes = typename Same<Operands, T>::type;
    static constexpr bool in_place = true;  // every element is read before its place is written
    static constexpr bool differentiable = Differentiable;
    static constexpr auto attributes = std::array<const char*, sizeof...(Parameters)>{attribute_of(Parameters).name...};

    Plan plan(const SignatureView& s) const {
      Plan plan;
      Pass& pass = plan.add(Shader);
      for (std::uint32_t i = 0; i < Operands; ++i) pass.reads(s, i);
      pass.writes(s).over(s.output().elements());
      pass.push.count(s.output().elements());
      (pass.push.real(s.real(attribute_of(Parameters).name, attribute_of(Parameters).otherwise), binary64(s)), ...);
      return plan;
    }
  };
};

template <plugin::FixedText Op>
constexpr auto entry = plugin::FixedText("elementwise.") + Op;
template <plugin::FixedText Op>
constexpr std::uint32_t expression = shader(entry<Op>.characters);

template <plugin::FixedText Op, std::size_t Operands, Parameter... Parameters>
constexpr auto elementwise = both<Op, Elementwise<expression<Op>, Operands, true, Parameters...>::template Rule>;
template <plugin::FixedText Op, std::size_t Operands, Parameter... Parameters>
constexpr auto gradient = both<Op, Elementwise<expression<Op>, Operands, false, Parameters...>::template Rule>;

/// gelu and its gradient have two expressions.
template <std::size_t Operands, std::uint32_t Exact, std::uint32_t ByTanh>
struct Gelu {
  template <class T>
  using By = typename Elementwise<ByTanh, Operands, Operands == 1>::template Rule<T>;
  template <class T>
  struct Rule : Elementwise<Exact, Operands, Operands == 1>::template Rule<T> {
    using Base = typename Elementwise<Exact, Operands, Operands == 1>::template Rule<T>;
    static constexpr auto attributes = plugin::names("tanh");
    Plan plan(const SignatureView& s) const { return s.flag("tanh", false) ? By<T>().plan(s) : Base::plan(s); }
  };
};

using enum Parameter;

TENON_CAPSULES capsules = plugin::join(
    elementwise<"add", 2>, elementwise<"sub", 2>, elementwise<"mul", 2>, elementwise<"div", 2>,
    elementwise<"maximum", 2>, elementwise<"minimum", 2>, elementwise<"scale", 1, factor>, elementwise<"neg", 1>,
    elementwise<"relu", 1>, elementwise<"sqrt", 1>, elementwise<"abs", 1>, elementwise<"sign", 1>,
    elementwise<"clamp", 1, low, high>, elementwise<"inv", 1>, elementwise<"equal", 2>, elementwise<"less", 2>,
    elementwise<"where", 3>, elementwise<"sigmoid", 1>, elementwise<"tanh", 1>, elementwise<"exp", 1>,
    elementwise<"log", 1>, elementwise<"softplus", 1>, elementwise<"sin", 1>, elementwise<"cos", 1>,
    elementwise<"erf", 1>, elementwise<"safe_log", 1, epsilon>,
    both<"gelu", Gelu<1, expression<"gelu">, expression<"gelu_tanh">>::Rule>,
    both<"gelu_grad", Gelu<2, expression<"gelu_grad">, expression<"gelu_tanh_grad">>::Rule>,
    gradient<"maximum_grad", 3>, gradient<"minimum_grad", 3>, gradient<"relu_grad", 2>, gradient<"sigmoid_grad", 2>,
    gradient<"tanh_grad", 2>, gradient<"sqrt_grad", 2>, gradient<"clamp_grad", 2, low, high>, gradient<"erf_grad", 2>);

}  // namespace
}  // namespace tenon::vulkan
