// Sources: tensors from nothing.
#include "kernel.h"

namespace tenon::vulkan {
namespace {

/// A source with two numbers of its rule.
template <class T, std::uint32_t Shader>
struct Drawn {
  using dtypes = T();
  static constexpr bool differentiable = false;

  Drawn(const SignatureView& s, double first, double second)
      : a(first), b(second), elements(s.output().elements()), has_key(s.scalar_count() != 0) {}

  Plan plan(const SignatureView& s) const {
    Plan plan;
    plan.add(Shader).writes(s).over(elements);
    return plan;
  }
  void scalars(const Arguments& arguments, Push& push) const {
    push.put(has_key ? arguments.scalar(0).u : std::uint64_t{0}).put(a).put(b).count(elements);
  }
  double a, b;
  std::uint64_t elements;
  bool has_key;
};

template <class T>
struct Fill : Drawn<T, shader("sources.fill")> {
  static constexpr auto attributes = plugin::names("shape", "value");
  explicit Fill(const SignatureView& s) : Drawn<T, shader("sources.fill")>(s, s.real("value", 0), 0) {}
};
template <class T>
struct RandUniform : Drawn<T, shader("sources.rand_uniform")> {
  static constexpr auto attributes = plugin::names("shape");
  explicit RandUniform(const SignatureView& s) : Drawn<T, shader("sources.rand_uniform")>(s, 0, 1) {}
};
template <class T>
struct BernoulliMask : Drawn<T, shader("sources.bernoulli_mask")> {
  static constexpr auto attributes = plugin::names("shape", "keep");
  explicit BernoulliMask(const SignatureView& s)
      : Drawn<T, shader("sources.bernoulli_mask")>(s, s.real("keep", 0.5), 0) {}
};
template <class T>
struct InitUniform : Drawn<T, shader("sources.init_uniform")> {
  static constexpr auto attributes = plugin::names("shape", "low", "high");
  explicit InitUniform(const SignatureView& s)
      : Drawn<T, shader("sources.init_uniform")>(s, s.real("low", 0), s.real("high", 1)) {}
};
template <class T>
struct InitNormal : Drawn<T, shader("sources.init_normal")> {
  static constexpr auto attributes = plugin::names("shape", "mean", "std");
  explicit InitNormal(const SignatureView& s)
      : Drawn<T, shader("sources.init_normal")>(s, s.real("mean", 0), s.real("std", 1)) {}
};

TENON_CAPSULES capsules =
    plugin::join(both<"fill", Fill>, both<"rand_uniform", RandUniform>, both<"bernoulli_mask", BernoulliMask>,
                 both<"init_uniform", InitUniform>, both<"init_normal", InitNormal>);

}  // namespace
}  // namespace tenon::vulkan
