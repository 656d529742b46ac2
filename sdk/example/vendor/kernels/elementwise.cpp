// Elementwise operations: each result is a function of the elements in its place.
#include "kernel.h"

namespace acme {
namespace {

struct Add {
  float operator()(float left, float right) const { return left + right; }
};
struct Sub {
  float operator()(float left, float right) const { return left - right; }
};
struct Mul {
  float operator()(float left, float right) const { return left * right; }
};
struct Relu {
  float operator()(float x) const { return strict::relu(x); }
};

/// An attribute is fixed when the kernel is prepared, and has its default where it is not given. One that a kernel does
/// not list is declined for it, unless it has its default.
struct Scale {
  static constexpr auto attributes = names("factor");
  explicit Scale(const SignatureView& signature) : factor(static_cast<float>(signature.real("factor", 1))) {}
  float operator()(float x) const { return x * factor; }
  float factor;
};

/// Part of a gradient, and not to be differentiated again.
struct ReluGrad {
  static constexpr bool differentiable = false;
  float operator()(float x, float upstream) const { return x > 0 ? upstream : 0; }
};

// -- the loop that they share -------------------------------------------------------------------------------

template <class Function, class Signature = decltype(&Function::operator())>
class Each;

/// What the function says of itself (attributes, whether it can be differentiated) is said of the kernel.
template <class Function, class... Operand>
class Each<Function, float (Function::*)(Operand...) const> : public Function {
 public:
  using dtypes = float(Operand...);
  static constexpr bool in_place = true;  // every element is read before its place is written

  explicit Each(const SignatureView& signature) : Function(make(signature)), elements_(signature.output().elements()) {}

  void operator()(const Tensors& tensors) const { run(tensors, std::index_sequence_for<Operand...>()); }

 private:
  static Function make([[maybe_unused]] const SignatureView& signature) {
    if constexpr (std::is_constructible_v<Function, const SignatureView&>)
      return Function(signature);
    else
      return Function();
  }

  template <std::size_t... I>
  void run(const Tensors& tensors, std::index_sequence<I...>) const {
    float* output = tensors.output();
    const std::array operands{tensors.operand(I)...};
    const Function& function = *this;
    for (std::uint64_t i = 0; i < elements_; ++i) output[i] = function(operands[I][i]...);
  }

  std::uint64_t elements_;
};

TENON_CAPSULES capsules =
    join(exact<"add", Each<Add>>, exact<"sub", Each<Sub>>, exact<"mul", Each<Mul>>, exact<"relu", Each<Relu>>,
         exact<"scale", Each<Scale>>, exact<"relu_grad", Each<ReluGrad>>);

}  // namespace
}  // namespace acme
