// Elementwise operations that are IEEE 754's own, or choices among their operands.
#include "provider.h"

namespace tenon::cpu::native {
namespace {

template <class Function, class Call = decltype(&Function::operator())>
class Elementwise;

template <class Function, class T, class... Operand>
class Elementwise<Function, T (Function::*)(Operand...) const> {
 public:
  using dtypes = T(Operand...);
  static constexpr bool in_place = true;  // every element is read before its place is written
  static constexpr auto attributes = plugin::detail::attributes<Function>;
  static constexpr bool differentiable = plugin::detail::differentiable<Function>();

  Elementwise(const SignatureView& signature, tenon_device* device)
      : function_(make(signature)),
        elements_(signature.output().elements()),
        run_(static_cast<const Loop<Function>&>(kernels<T>(isa_of(device))).run) {}

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
      run_(function_, end - begin, output + begin, (operands + begin)...);
    });
  }

  Function function_;
  std::uint64_t elements_;
  typename Loop<Function>::Run run_;
};

template <template <class> class Function>
struct Of {
  template <class T>
  using Kernel = Elementwise<Function<T>>;
};
template <plugin::FixedText Op, template <class> class Function>
constexpr auto elementwise = both<Op, Of<Function>::template Kernel>;

TENON_CAPSULES capsules = plugin::join(
    elementwise<"add", reference::Add>, elementwise<"sub", reference::Sub>, elementwise<"mul", reference::Mul>,
    elementwise<"div", reference::Div>, elementwise<"maximum", reference::Maximum>,
    elementwise<"minimum", reference::Minimum>, elementwise<"scale", reference::Scale>,
    elementwise<"neg", reference::Neg>, elementwise<"relu", reference::Relu>, elementwise<"sqrt", reference::Sqrt>,
    elementwise<"abs", reference::Abs>, elementwise<"maximum_grad", reference::MaximumGrad>,
    elementwise<"minimum_grad", reference::MinimumGrad>, elementwise<"relu_grad", reference::ReluGrad>,
    elementwise<"sigmoid_grad", reference::SigmoidGrad>, elementwise<"tanh_grad", reference::TanhGrad>,
    elementwise<"sqrt_grad", reference::SqrtGrad>);

}  // namespace
}  // namespace tenon::cpu::native
