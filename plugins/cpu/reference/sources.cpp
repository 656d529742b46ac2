// Sources: tensors from nothing. A draw is a function of its key and the element's index alone.
#include "provider.h"
#include "tenon/random.h"

namespace tenon::cpu::reference {
namespace {

/// A rule says what element i is, given the key; its attributes are read when it is made.
template <class Rule>
class Source {
 public:
  using T = typename Rule::Element;
  using dtypes = T();
  static constexpr auto attributes = Rule::attributes;
  static constexpr bool differentiable = false;

  explicit Source(const SignatureView& signature)
      : rule_(signature), elements_(signature.output().elements()), has_key_(signature.scalar_count() != 0) {}

  void operator()(const Arguments& arguments) const {
    const std::uint64_t key = has_key_ ? arguments.scalar(0).u : 0;
    T* output = arguments.output<T>();
    plugin::for_ranges(elements_, operations_per_range / 8, [=, this](std::uint64_t begin, std::uint64_t end) {
      for (std::uint64_t i = begin; i < end; ++i) output[i] = rule_(key, i);
    });
  }

 private:
  Rule rule_;
  std::uint64_t elements_;
  bool has_key_;
};

template <class T>
struct FillRule {
  using Element = T;
  static constexpr auto attributes = plugin::names("shape", "value");
  explicit FillRule(const SignatureView& signature) : value(static_cast<T>(signature.real("value", 0))) {}
  T operator()(std::uint64_t, std::uint64_t) const { return value; }
  T value;
};

template <class T>
struct RandUniformRule {
  using Element = T;
  static constexpr auto attributes = plugin::names("shape");
  explicit RandUniformRule(const SignatureView&) {}
  T operator()(std::uint64_t key, std::uint64_t i) const { return random::uniform<T>(0, 1, key, i); }
};

template <class T>
struct BernoulliMaskRule {
  using Element = T;
  static constexpr auto attributes = plugin::names("shape", "keep");
  explicit BernoulliMaskRule(const SignatureView& signature) : keep(signature.real("keep", 0.5)) {}
  T operator()(std::uint64_t key, std::uint64_t i) const { return random::bernoulli<T>(keep, key, i); }
  double keep;
};

template <class T>
struct InitUniformRule {
  using Element = T;
  static constexpr auto attributes = plugin::names("shape", "low", "high");
  explicit InitUniformRule(const SignatureView& signature)
      : low(signature.real("low", 0)), high(signature.real("high", 1)) {}
  T operator()(std::uint64_t key, std::uint64_t i) const { return random::uniform<T>(low, high, key, i); }
  double low, high;
};

template <class T>
struct InitNormalRule {
  using Element = T;
  static constexpr auto attributes = plugin::names("shape", "mean", "std");
  explicit InitNormalRule(const SignatureView& signature)
      : mean(signature.real("mean", 0)), std(signature.real("std", 1)) {}
  T operator()(std::uint64_t key, std::uint64_t i) const { return random::normal<T>(mean, std, key, i); }
  double mean, std;
};

template <class T>
using Fill = Source<FillRule<T>>;
template <class T>
using RandUniform = Source<RandUniformRule<T>>;
template <class T>
using BernoulliMask = Source<BernoulliMaskRule<T>>;
template <class T>
using InitUniform = Source<InitUniformRule<T>>;
template <class T>
using InitNormal = Source<InitNormalRule<T>>;

TENON_CAPSULES capsules =
    plugin::join(both<"fill", Fill>, both<"rand_uniform", RandUniform>, both<"bernoulli_mask", BernoulliMask>,
                 both<"init_uniform", InitUniform>, both<"init_normal", InitNormal>);

}  // namespace
}  // namespace tenon::cpu::reference
