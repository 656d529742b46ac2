// Elementwise operations: a kernel of kernels/elementwise.cu each, named like the operation.
#include <limits>

#include "native.h"

namespace tenon::gpu {
namespace {

constexpr std::string_view family = "elementwise";

/// Launches `kernel` over the result's elements: number, result, operands, attributes.
template <class T, std::uint32_t... I, class... Attribute>
void map(Plan& plan, std::string_view kernel, std::integer_sequence<std::uint32_t, I...>, Attribute... attributes) {
  const std::uint64_t n = plan.signature().output().elements();
  plan.count_flops(n);
  plan.launch_threads(family, kernel, pack_threads<T>(n), n, Output{}, Operand{I}..., attributes...);
}
template <std::uint32_t operands>
using Operands = std::make_integer_sequence<std::uint32_t, operands>;

template <class T, std::uint32_t operands>
struct Types;
template <class T>
struct Types<T, 1> {
  using dtypes = T(T);
};
template <class T>
struct Types<T, 2> {
  using dtypes = T(T, T);
};
template <class T>
struct Types<T, 3> {
  using dtypes = T(T, T, T);
};

template <FixedText name, std::uint32_t operands, class Kind>
struct Plain {
  template <class T>
  struct Rule : Types<T, operands>, InPlace, Kind {
    static void plan(Plan& plan) { map<T>(plan, plugin::detail::text_of<name>.characters, Operands<operands>()); }
  };
};

struct Differentiable {};

template <FixedText name>
constexpr auto unary = both<name, Plain<name, 1, Differentiable>::template Rule>;
template <FixedText name>
constexpr auto binary = both<name, Plain<name, 2, Differentiable>::template Rule>;
template <FixedText name>
constexpr auto ternary = both<name, Plain<name, 3, Differentiable>::template Rule>;
template <FixedText name>
constexpr auto gradient_of_unary = both<name, Plain<name, 2, NotDifferentiable>::template Rule>;
template <FixedText name>
constexpr auto gradient_of_binary = both<name, Plain<name, 3, NotDifferentiable>::template Rule>;

// -- with attributes ----------------------------------------------------------------------------------------

template <class T>
struct Scale : Types<T, 1>, InPlace {
  static constexpr auto attributes = names("factor");
  static void plan(Plan& plan) {
    map<T>(plan, "scale", Operands<1>(), static_cast<T>(plan.signature().real("factor", 1)));
  }
};

template <class T>
struct SafeLog : Types<T, 1>, InPlace {
  static constexpr auto attributes = names("epsilon");
  static void plan(Plan& plan) {
    map<T>(plan, "safe_log", Operands<1>(), static_cast<T>(plan.signature().real("epsilon", 1e-6)));
  }
};

template <class T>
T limit(const Plan& plan, std::string_view name, double otherwise) {
  return static_cast<T>(plan.signature().real(name, otherwise));
}
constexpr double infinity = std::numeric_limits<double>::infinity();

template <class T>
struct Clamp : Types<T, 1>, InPlace {
  static constexpr auto attributes = names("low", "high");
  static void plan(Plan& plan) {
    map<T>(plan, "clamp", Operands<1>(), limit<T>(plan, "low", -infinity), limit<T>(plan, "high", infinity));
  }
};

template <class T>
struct ClampGrad : Types<T, 2>, InPlace, NotDifferentiable {
  static constexpr auto attributes = names("low", "high");
  static void plan(Plan& plan) {
    map<T>(plan, "clamp_grad", Operands<2>(), limit<T>(plan, "low", -infinity), limit<T>(plan, "high", infinity));
  }
};

template <class T>
struct Gelu : Types<T, 1>, InPlace {
  static constexpr auto attributes = names("tanh");
  static void plan(Plan& plan) {
    map<T>(plan, plan.signature().flag("tanh", false) ? "gelu_tanh" : "gelu", Operands<1>());
  }
};

template <class T>
struct GeluGrad : Types<T, 2>, InPlace, NotDifferentiable {
  static constexpr auto attributes = names("tanh");
  static void plan(Plan& plan) {
    map<T>(plan, plan.signature().flag("tanh", false) ? "gelu_tanh_grad" : "gelu_grad", Operands<2>());
  }
};

TENON_CAPSULES capsules =
    plugin::join(unary<"neg">, unary<"relu">, unary<"sigmoid">, unary<"tanh">, unary<"exp">, unary<"log">,
                 unary<"sqrt">, unary<"abs">, unary<"sign">, unary<"softplus">, unary<"sin">, unary<"cos">,
                 unary<"erf">, unary<"inv">, binary<"add">, binary<"sub">, binary<"mul">, binary<"div">,
                 binary<"maximum">, binary<"minimum">, binary<"equal">, binary<"less">, ternary<"where">,
                 gradient_of_unary<"relu_grad">, gradient_of_unary<"sigmoid_grad">, gradient_of_unary<"tanh_grad">,
                 gradient_of_unary<"sqrt_grad">, gradient_of_unary<"erf_grad">, gradient_of_binary<"maximum_grad">,
                 gradient_of_binary<"minimum_grad">, both<"scale", Scale>, both<"safe_log", SafeLog>,
                 both<"clamp", Clamp>, both<"clamp_grad", ClampGrad>, both<"gelu", Gelu>, both<"gelu_grad", GeluGrad>);

}  // namespace
}  // namespace tenon::gpu
