// Elementwise operations: each result is a function of the elements at the same place.
#include "provider.h"

namespace tenon::cpu::reference {
namespace {

// -- functions of one element: their parameters are the operands --------------------------------------------

template <class T>
struct Add {
  T operator()(T left, T right) const { return left + right; }
};
template <class T>
struct Sub {
  T operator()(T left, T right) const { return left - right; }
};
template <class T>
struct Mul {
  T operator()(T left, T right) const { return left * right; }
};
template <class T>
struct Div {
  T operator()(T left, T right) const { return left / right; }
};
template <class T>
struct Maximum {
  T operator()(T left, T right) const { return strict::maximum(left, right); }
};
template <class T>
struct Minimum {
  T operator()(T left, T right) const { return strict::minimum(left, right); }
};
template <class T>
struct Neg {
  T operator()(T x) const { return -x; }
};
template <class T>
struct Relu {
  T operator()(T x) const { return strict::relu(x); }
};
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
struct Sqrt {
  T operator()(T x) const { return strict::sqrt(x); }
};

template <class T>
struct Scale {
  static constexpr auto attributes = plugin::names("factor");
  explicit Scale(const SignatureView& signature) : factor(static_cast<T>(signature.real("factor", 1))) {}
  T operator()(T x) const { return x * factor; }
  T factor;
};

// -- their gradients ----------------------------------------------------------------------------------------

struct Gradient {
  static constexpr bool differentiable = false;
};
template <class T>
struct MaximumGrad : Gradient {
  T operator()(T left, T right, T upstream) const {
    return left > right ? upstream : left == right ? upstream * T(0.5) : T(0);
  }
};
template <class T>
struct MinimumGrad : Gradient {
  T operator()(T left, T right, T upstream) const {
    return left < right ? upstream : left == right ? upstream * T(0.5) : T(0);
  }
};
template <class T>
struct ReluGrad : Gradient {
  T operator()(T x, T upstream) const { return x > 0 ? upstream : T(0); }
};
template <class T>
struct SigmoidGrad : Gradient {
  T operator()(T y, T upstream) const { return upstream * (y * (1 - y)); }
};
template <class T>
struct TanhGrad : Gradient {
  T operator()(T y, T upstream) const { return upstream * (1 - y * y); }
};
template <class T>
struct SqrtGrad : Gradient {
  T operator()(T y, T upstream) const { return y == 0 ? T(0) : upstream / (2 * y); }
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

TENON_CAPSULES capsules =
    plugin::join(elementwise<"add", Add>, elementwise<"sub", Sub>, elementwise<"mul", Mul>, elementwise<"div", Div>,
                 elementwise<"maximum", Maximum>, elementwise<"minimum", Minimum>, elementwise<"scale", Scale>,
                 elementwise<"neg", Neg>, elementwise<"relu", Relu>, elementwise<"sigmoid", Sigmoid>,
                 elementwise<"tanh", Tanh>, elementwise<"exp", Exp>, elementwise<"log", Log>, elementwise<"sqrt", Sqrt>,
                 elementwise<"maximum_grad", MaximumGrad>, elementwise<"minimum_grad", MinimumGrad>,
                 elementwise<"relu_grad", ReluGrad>, elementwise<"sigmoid_grad", SigmoidGrad>,
                 elementwise<"tanh_grad", TanhGrad>, elementwise<"sqrt_grad", SqrtGrad>);

}  // namespace
}  // namespace tenon::cpu::reference
