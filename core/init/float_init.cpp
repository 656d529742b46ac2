#include "tenon/float_init.h"

#include <cmath>
#include <string>

#include "tenon/init_builders.h"
#include "tenon/random.h"
#include "tenon/text.h"

namespace tenon {
namespace {

template <class... F>
struct Overloaded : F... {
  using F::operator()...;
};
template <class... F>
Overloaded(F...) -> Overloaded<F...>;  // clang 14 does not find it by itself

constexpr std::uint64_t no_key = 0;

auto refuse(std::string text) { return fail(Reason::INVALID_ARGUMENT, "[init] " + std::move(text)); }

result<void> check(const init::Uniform& u) {
  if (!std::isfinite(u.low) || !std::isfinite(u.high))
    return refuse("uniform: found bounds " + shortest(u.low) + " and " + shortest(u.high) + ", expected finite ones");
  if (u.low > u.high) return refuse("uniform: found low " + shortest(u.low) + " above high " + shortest(u.high));
  if (!std::isfinite(u.high - u.low))
    return refuse("uniform: high - low overflows: found " + shortest(u.low) + " and " + shortest(u.high));
  return {};
}

result<void> check(const init::Normal& n) {
  if (!std::isfinite(n.mean) || !std::isfinite(n.std))
    return refuse("normal: found mean " + shortest(n.mean) + " and std " + shortest(n.std) + ", expected finite ones");
  if (n.std < 0) return refuse("normal: found std " + shortest(n.std) + ", expected 0 or more");
  return {};
}

result<void> check_fan(std::string_view scheme, double fan, Extent elements) {
  if (fan > 0 || elements == 0) return {};
  return refuse(std::string(scheme) + ": found a fan of 0, expected 1 or more");
}

double fan_sum(const init::XavierUniform& x) { return static_cast<double>(x.fan_in) + static_cast<double>(x.fan_out); }

/// U[-limit, limit) as an interval; an infinite limit stands for a fan of zero, whose samples are 0.
Interval within(double limit, const Shape& shape) {
  if (!std::isfinite(limit)) limit = 0;
  return {shape, -limit, limit};
}

}  // namespace

result<void> validate(const FloatInit& scheme, Extent elements) {
  return std::visit(
      Overloaded{[](const init::Zeros&) -> result<void> { return {}; },
                 [](const init::Ones&) -> result<void> { return {}; }, [](const init::Uniform& u) { return check(u); },
                 [](const init::Normal& n) { return check(n); },
                 [&](const init::XavierUniform& x) { return check_fan("xavier_uniform", fan_sum(x), elements); },
                 [&](const init::KaimingUniform& k) {
                   return check_fan("kaiming_uniform", static_cast<double>(k.fan_in), elements);
                 },
                 [&](const init::Flat& f) -> result<void> {
                   if (static_cast<Extent>(f.values.size()) == elements) return {};
                   return refuse("flat: found " + std::to_string(f.values.size()) + " values, expected " +
                                 std::to_string(elements));
                 }},
      scheme);
}

double sample_at(const FloatInit& scheme, std::uint64_t index) {
  const auto uniform = [&](double limit, std::uint64_t seed) {
    return std::isfinite(limit) ? random::uniform<double>(-limit, limit, random::key(seed, 0), index) : 0.0;
  };
  return std::visit(
      Overloaded{
          [](const init::Zeros&) { return 0.0; }, [](const init::Ones&) { return 1.0; },
          [&](const init::Uniform& u) { return random::uniform<double>(u.low, u.high, random::key(u.seed, 0), index); },
          [&](const init::Normal& n) { return random::normal<double>(n.mean, n.std, random::key(n.seed, 0), index); },
          [&](const init::XavierUniform& x) { return uniform(std::sqrt(6 / fan_sum(x)), x.seed); },
          [&](const init::KaimingUniform& k) { return uniform(std::sqrt(6 / static_cast<double>(k.fan_in)), k.seed); },
          [&](const init::Flat& f) { return f.values.at(index); }},
      scheme);
}

result<Fans> fan_in_out(const Shape& shape) {
  if (shape.rank < 2)
    return refuse("fans of " + to_string(shape) + ": found rank " + std::to_string(shape.rank) +
                  ", expected 2 or more");
  const std::optional<Extent> kernel = checked_elements(shape.from(2));
  if (!kernel || !checked_elements(shape))
    return refuse("fans of " + to_string(shape) +
                  ": found an unknown or absurd extent, expected at most 2^48 elements");
  return Fans{static_cast<std::uint64_t>(shape[1] * *kernel), static_cast<std::uint64_t>(shape[0] * *kernel)};
}

result<FloatInit> xavier_uniform_for_shape(const Shape& shape, std::uint64_t seed) {
  TENON_TRY(const Fans fans, fan_in_out(shape).map_error([](Error e) {
    e.text += ", needed by xavier_uniform";
    return e;
  }));
  return init::XavierUniform{fans.in, fans.out, seed};
}

result<FloatInit> kaiming_uniform_for_shape(const Shape& shape, std::uint64_t seed) {
  TENON_TRY(const Fans fans, fan_in_out(shape).map_error([](Error e) {
    e.text += ", needed by kaiming_uniform";
    return e;
  }));
  return init::KaimingUniform{fans.in, seed};
}

result<FloatInit> of_scheme(Scheme scheme, const Shape& shape, std::uint64_t seed) {
  switch (scheme) {
    case Scheme::zeros:
      return init::zeros();
    case Scheme::ones:
      return init::ones();
    case Scheme::kaiming_uniform:
      return kaiming_uniform_for_shape(shape, seed);
    case Scheme::xavier_uniform:
      return xavier_uniform_for_shape(shape, seed);
    case Scheme::normal:
      return init::normal(0, 1, seed);
  }
  return refuse("found a scheme of number " + std::to_string(static_cast<int>(scheme)) + ", expected one of five");
}

result<SourceInit> as_source(const FloatInit& scheme, const Shape& shape) {
  using Source = result<SourceInit>;
  return std::visit(
      Overloaded{
          [&](const init::Zeros&) -> Source {
            return SourceInit{Op::fill, Constant{shape, 0}, no_key};
          },
          [&](const init::Ones&) -> Source {
            return SourceInit{Op::fill, Constant{shape, 1}, no_key};
          },
          [&](const init::Uniform& u) -> Source {
            return SourceInit{Op::init_uniform, Interval{shape, u.low, u.high}, random::key(u.seed, 0)};
          },
          [&](const init::Normal& n) -> Source {
            return SourceInit{Op::init_normal, Gaussian{shape, n.mean, n.std}, random::key(n.seed, 0)};
          },
          [&](const init::XavierUniform& x) -> Source {
            return SourceInit{Op::init_uniform, within(std::sqrt(6 / fan_sum(x)), shape), random::key(x.seed, 0)};
          },
          [&](const init::KaimingUniform& k) -> Source {
            const double limit = std::sqrt(6 / static_cast<double>(k.fan_in));
            return SourceInit{Op::init_uniform, within(limit, shape), random::key(k.seed, 0)};
          },
          [&](const init::Flat&) -> Source { return refuse("flat values are uploaded, not drawn"); }},
      scheme);
}

}  // namespace tenon
