// Sources: tensors from nothing. Initial values are computed in binary64, so the host makes them, and the GPU copies
// them; draws of every step are whole numbers until they are rounded once, so the GPU makes them itself.
#include "kernel.h"
#include "tenon/random.h"

namespace tenon::metal {
namespace {

struct Source {
  using dtypes = float();
  static constexpr bool differentiable = false;

  explicit Source(const SignatureView& s) : elements(s.output().elements()), has_key(s.scalar_count() != 0) {}

  std::uint64_t key(const Arguments& arguments) const { return has_key ? arguments.scalar(0).u : 0; }
  std::uint64_t elements;
  bool has_key;
};

struct Fill : Source {
  static constexpr auto attributes = plugin::names("shape", "value");
  using Source::Source;
  Plan plan(const SignatureView& s) const {
    Plan plan;
    plan.add("sources_fill").writes(s).over(elements).constants =
        tenon_metal::Fill{count32(elements), static_cast<float>(s.real("value", 0))};
    return plan;
  }
};

template <plugin::FixedText Name>
struct Drawn : Source {
  Drawn(const SignatureView& s, std::uint64_t draws_below) : Source(s), threshold(draws_below) {}
  Plan plan(const SignatureView& s) const {
    Plan plan;
    plan.add(plugin::detail::text_of<Name>.characters).writes(s).over(elements);
    return plan;
  }
  Constants scalars(const Arguments& arguments) const {
    const std::uint64_t key = this->key(arguments);
    return tenon_metal::Draw{count32(elements), static_cast<unsigned>(key), static_cast<unsigned>(key >> 32),
                             static_cast<unsigned>(threshold), static_cast<unsigned>(threshold >> 32)};
  }
  std::uint64_t threshold;
};

struct RandUniform : Drawn<"sources_rand_uniform"> {
  static constexpr auto attributes = plugin::names("shape");
  explicit RandUniform(const SignatureView& s) : Drawn(s, 0) {}
};

/// How many of the 2^32 draws u have u 2^-32 < keep.
std::uint64_t kept_draws(double keep) {
  constexpr double all = 0x1p32;
  if (!(keep > 0)) return 0;
  return keep >= 1 ? std::uint64_t{1} << 32 : static_cast<std::uint64_t>(std::ceil(keep * all));
}

struct BernoulliMask : Drawn<"sources_bernoulli_mask"> {
  static constexpr auto attributes = plugin::names("shape", "keep");
  explicit BernoulliMask(const SignatureView& s) : Drawn(s, kept_draws(s.real("keep", 0.5))) {}
};

void make_uniform(const HostMade& what, void* to, std::uint64_t bytes) {
  auto* elements = static_cast<float*>(to);
  for (std::uint64_t i = 0; i < bytes / sizeof(float); ++i)
    elements[i] = random::uniform<float>(what.a, what.b, what.key, i);
}
void make_normal(const HostMade& what, void* to, std::uint64_t bytes) {
  auto* elements = static_cast<float*>(to);
  for (std::uint64_t i = 0; i < bytes / sizeof(float); ++i)
    elements[i] = random::normal<float>(what.a, what.b, what.key, i);
}

struct Initial : Source {
  Initial(const SignatureView& s, decltype(HostMade::make) maker, double first, double second)
      : Source(s), make(maker), a(first), b(second) {}
  Plan plan(const SignatureView& s) const {
    Plan plan;
    plan.make(Slot::output(s));
    return plan;
  }
  Constants scalars(const Arguments& arguments) const { return HostMade{make, key(arguments), a, b}; }
  decltype(HostMade::make) make;
  double a, b;
};

struct InitUniform : Initial {
  static constexpr auto attributes = plugin::names("shape", "low", "high");
  explicit InitUniform(const SignatureView& s) : Initial(s, make_uniform, s.real("low", 0), s.real("high", 1)) {}
};
struct InitNormal : Initial {
  static constexpr auto attributes = plugin::names("shape", "mean", "std");
  explicit InitNormal(const SignatureView& s) : Initial(s, make_normal, s.real("mean", 0), s.real("std", 1)) {}
};

TENON_CAPSULES capsules =
    plugin::join(strict<"fill", Fill>, strict<"rand_uniform", RandUniform>, strict<"bernoulli_mask", BernoulliMask>,
                 strict<"init_uniform", InitUniform>, strict<"init_normal", InitNormal>);

}  // namespace
}  // namespace tenon::metal
