// Updates: one step of an optimizer for one parameter. Operands are parameter, gradient and state; results are the new
// parameter and state, which may have the storage of the old. What does not depend on the element is computed in
// binary64 and rounded once.
#include "kernel.h"

namespace acme {
namespace {

class Sgd {
 public:
  using dtypes = float(float, float);
  static constexpr bool in_place = true;
  static constexpr bool differentiable = false;

  explicit Sgd(const SignatureView& signature) : elements_(signature.output().elements()) {}

  void operator()(const Tensors& tensors) const {
    const auto rate = static_cast<float>(tensors.scalar(0).f);
    const float* gradient = tensors.operand(1);
    for (std::uint64_t i = 0; i < elements_; ++i) tensors.output()[i] = tensors.operand(0)[i] - rate * gradient[i];
  }

 private:
  std::uint64_t elements_;
};

/// parameter, gradient, mean m, variance v; scalars: rate and the number of the step, from 1.
class Adam {
 public:
  using dtypes = Results<float, float, float>(float, float, float, float);
  static constexpr auto attributes = names("beta1", "beta2", "epsilon");  // with decay it is declined
  static constexpr bool in_place = true;
  static constexpr bool differentiable = false;

  explicit Adam(const SignatureView& signature)
      : beta1_(signature.real("beta1", 0.9)),
        beta2_(signature.real("beta2", 0.999)),
        epsilon_(static_cast<float>(signature.real("epsilon", 1e-8))),
        elements_(signature.output().elements()) {}

  void operator()(const Tensors& tensors) const {
    const Step step = step_of(tensors.scalar(0).f, tensors.scalar(1).i);
    for (std::uint64_t i = 0; i < elements_; ++i) {
      const float gradient = tensors.operand(1)[i], m_before = tensors.operand(2)[i], v_before = tensors.operand(3)[i];
      const float m = m_before + step.keep_m * (gradient - m_before);
      const float v = step.beta2 * v_before + (step.keep_v * gradient) * gradient;
      const float scale = strict::sqrt(v) / step.correction + epsilon_;
      tensors.output(0)[i] = tensors.operand(0)[i] - (step.size * m) / scale;
      tensors.output(1)[i] = m;
      tensors.output(2)[i] = v;
    }
  }

 private:
  struct Step {
    float keep_m, beta2, keep_v, size, correction;
  };
  Step step_of(double rate, std::int64_t number) const {
    if (number < 1) refuse("step ", number, ": steps count from 1");
    const auto n = static_cast<std::uint64_t>(number);
    const double size = rate / (1 - strict::power(beta1_, n));
    const double correction = strict::sqrt(1 - strict::power(beta2_, n));
    return {static_cast<float>(1 - beta1_), static_cast<float>(beta2_), static_cast<float>(1 - beta2_),
            static_cast<float>(size), static_cast<float>(correction)};
  }

  double beta1_, beta2_;
  float epsilon_;
  std::uint64_t elements_;
};

TENON_CAPSULES capsules = join(exact<"sgd", Sgd>, exact<"adam", Adam>);

}  // namespace
}  // namespace acme
