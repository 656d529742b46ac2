// Tensors from nothing: constants, and random draws, of which element i is a function of the key and of i alone.
#include "kernel.h"
#include "tenon/random.h"

namespace acme {
namespace {

class Constant {
 public:
  using dtypes = float();
  static constexpr auto attributes = names("shape", "value");
  static constexpr bool differentiable = false;

  explicit Constant(const SignatureView& signature)
      : value_(static_cast<float>(signature.real("value", 0))), elements_(signature.output().elements()) {}

  void operator()(const Tensors& tensors) const { std::fill_n(tensors.output(), elements_, value_); }

 private:
  float value_;
  std::uint64_t elements_;
};

/// The initial values of parameters, uniform in [low, high).
class InitUniform {
 public:
  using dtypes = float();
  static constexpr auto attributes = names("shape", "low", "high");
  static constexpr bool differentiable = false;

  explicit InitUniform(const SignatureView& signature)
      : low_(signature.real("low", 0)), high_(signature.real("high", 1)), elements_(signature.output().elements()) {}

  // A scalar may change at each launch: the key does.
  void operator()(const Tensors& tensors) const {
    const std::uint64_t key = tensors.scalar(0).u;
    for (std::uint64_t i = 0; i < elements_; ++i) {
      tensors.output()[i] = tenon::random::uniform<float>(low_, high_, key, i);
    }
  }

 private:
  double low_, high_;
  std::uint64_t elements_;
};

TENON_CAPSULES capsules = join(exact<"fill", Constant>, exact<"init_uniform", InitUniform>);

}  // namespace
}  // namespace acme
