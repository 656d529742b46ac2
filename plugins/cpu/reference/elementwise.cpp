// Elementwise operations: each result is a function of the elements at the same place.
#include <limits>

#include "functions.h"

namespace tenon::cpu::reference {
namespace {

// -- functions of one element: their parameters are the operands --------------------------------------------

template <class T>
struct Sigmoid {
  T operator()(T x) const { return strict::sigmoid(x); }
};
template <class T>
struct Tanh {
  T operator()(T x) const { return strict::tanh(x); }
};
template <class T>
struct Exp {
  T operator()(T x) const { return strict::exp(x); }
};
template <class T>
struct Log {
  T operator()(T x) const { return strict::log(x); }
};

template <class T>
struct Sign {
  T operator()(T x) const { return x > 0 ? T(1) : x < 0 ? T(-1) : x == 0 ? T(0) : x; }
};

template <class T>
struct Clamp {
  static constexpr auto attributes = plugin::names("low", "high");
  explicit Clamp(const SignatureView& signature)
      : low(static_cast<T>(signature.real("low", -std::numeric_limits<double>::infinity()))),
        high(static_cast<T>(signature.real("high", std::numeric_limits<double>::infinity()))) {}
  T operator()(T x) const { return strict::minimum(strict::maximum(x, low), high); }
  T low, high;
};

/// sqrt(2/pi) (x + 0.044715 x^3), doubled, and what it grows by.  (1 + tanh(u)) / 2 is sigmoid(2u), which loses less.
template <class T>
struct GeluAngle {
  static constexpr T factor = T(0x1.9884533d43651p0), cubic = T(0.044715), growth = T(3 * 0.044715);
  static T at(T x) { return factor * (x + cubic * ((x * x) * x)); }
  static T slope(T x) { return factor * (1 + growth * (x * x)); }
};

template <class T>
struct Gelu {
  static constexpr auto attributes = plugin::names("tanh");
  explicit Gelu(const SignatureView& signature) : by_tanh(signature.flag("tanh", false)) {}
  T operator()(T x) const {
    if (!by_tanh) return strict::gelu(x);
    const T z = strict::maximum(x, T(-32));  // so that -infinity has its limit
    return z * strict::sigmoid(GeluAngle<T>::at(z));
  }
  bool by_tanh;
};

template <class T>
struct Softplus {
  T operator()(T x) const { return strict::softplus(x); }
};
template <class T>
struct Sin {
  T operator()(T x) const { return strict::sin(x); }
};
template <class T>
struct Cos {
  T operator()(T x) const { return strict::cos(x); }
};
template <class T>
struct Erf {
  T operator()(T x) const { return strict::erf(x); }
};
template <class T>
struct Inv {
  T operator()(T x) const { return 1 / x; }
};

template <class T>
struct SafeLog {
  static constexpr auto attributes = plugin::names("epsilon");
  explicit SafeLog(const SignatureView& signature) : epsilon(static_cast<T>(signature.real("epsilon", 1e-6))) {}
  T operator()(T x) const { return strict::log(strict::softplus(x) + epsilon); }
  T epsilon;
};

template <class T>
struct Equal {
  T operator()(T left, T right) const { return left == right ? T(1) : T(0); }
};
template <class T>
struct Less {
  T operator()(T left, T right) const { return left < right ? T(1) : T(0); }
};
template <class T>
struct Where {
  T operator()(T condition, T left, T right) const { return condition != 0 ? left : right; }
};

// -- their gradients ----------------------------------------------------------------------------------------

template <class T>
struct ClampGrad : Clamp<T>, Gradient {
  using Clamp<T>::Clamp;
  T operator()(T x, T upstream) const { return this->low <= x && x <= this->high ? upstream : T(0); }
};

template <class T>
struct GeluGrad : Gelu<T>, Gradient {
  using Gelu<T>::Gelu;
  T operator()(T x, T upstream) const {
    return upstream * (this->by_tanh ? approximate(x) : strict::gelu_derivative(x));
  }

 private:
  static T approximate(T x) {
    const T z = strict::minimum(strict::maximum(x, T(-32)), T(32));
    const T s = strict::sigmoid(GeluAngle<T>::at(z));
    return s + (z * (s * (1 - s))) * GeluAngle<T>::slope(z);
  }
};

template <class T>
struct ErfGrad : Gradient {
  static constexpr T factor = T(0x1.20dd750429b6dp0);  // 2/sqrt(pi)
  T operator()(T x, T upstream) const { return upstream * (factor * strict::exp(-(x * x))); }
};

// -- the loop -----------------------------------------------------------------------------------------------

template <class Function, class Signature>
class Loop;

template <class Function, class T, class... Operand>
class Loop<Function, T (Function::*)(Operand...) const> {
 public:
  using dtypes = T(Operand...);
  static constexpr bool in_place = true;  // every element is read before its place is written
  static constexpr auto attributes = plugin::detail::attributes<Function>;
  static constexpr bool differentiable = plugin::detail::differentiable<Function>();

  explicit Loop(const SignatureView& signature)
      : function_(make(signature)), elements_(signature.output().elements()) {}

  void operator()(const Arguments& arguments) const { run(arguments, std::index_sequence_for<Operand...>()); }
  std::uint64_t flops() const { return elements_; }

 private:
  static Function make(const SignatureView& signature) {
    if constexpr (std::is_constructible_v<Function, const SignatureView&>)
      return Function(signature);
    else
      return Function();
  }

  template <std::size_t... I>
  void run(const Arguments& arguments, std::index_sequence<I...>) const {
    apply(arguments.output<T>(), arguments.operand<Operand>(I)...);
  }

  void apply(T* output, const Operand*... operands) const {
    plugin::for_ranges(elements_, operations_per_range, [=, this](std::uint64_t begin, std::uint64_t end) {
      const Function function = function_;
      for (std::uint64_t i = begin; i < end; ++i) output[i] = function(operands[i]...);
    });
  }

  Function function_;
  std::uint64_t elements_;
};

template <template <class> class Function>
struct Elementwise {
  template <class T>
  using Kernel = Loop<Function<T>, decltype(&Function<T>::operator())>;
};

template <plugin::FixedText Op, template <class> class Function>
constexpr auto elementwise = both<Op, Elementwise<Function>::template Kernel>;

TENON_CAPSULES capsules = plugin::join(
    elementwise<"add", Add>, elementwise<"sub", Sub>, elementwise<"mul", Mul>, elementwise<"div", Div>,
    elementwise<"maximum", Maximum>, elementwise<"minimum", Minimum>, elementwise<"scale", Scale>,
    elementwise<"neg", Neg>, elementwise<"relu", Relu>, elementwise<"sigmoid", Sigmoid>, elementwise<"tanh", Tanh>,
    elementwise<"exp", Exp>, elementwise<"log", Log>, elementwise<"sqrt", Sqrt>, elementwise<"abs", Abs>,
    elementwise<"sign", Sign>, elementwise<"clamp", Clamp>, elementwise<"gelu", Gelu>,
    elementwise<"softplus", Softplus>, elementwise<"sin", Sin>, elementwise<"cos", Cos>, elementwise<"erf", Erf>,
    elementwise<"inv", Inv>, elementwise<"safe_log", SafeLog>, elementwise<"equal", Equal>, elementwise<"less", Less>,
    elementwise<"where", Where>, elementwise<"maximum_grad", MaximumGrad>, elementwise<"minimum_grad", MinimumGrad>,
    elementwise<"relu_grad", ReluGrad>, elementwise<"sigmoid_grad", SigmoidGrad>, elementwise<"tanh_grad", TanhGrad>,
    elementwise<"sqrt_grad", SqrtGrad>, elementwise<"clamp_grad", ClampGrad>, elementwise<"gelu_grad", GeluGrad>,
    elementwise<"erf_grad", ErfGrad>);

}  // namespace
}  // namespace tenon::cpu::reference
