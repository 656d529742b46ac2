// sources.h: tensors from nothing. A draw is a function of its key and the element's index alone (3-semantics, section
// 3).
#pragma once
#include "tenon/rule.h"

// clang-format off
#define TENON_SOURCE_OPS(TENON_OP) \
  TENON_OP(fill,           (), (), (),    Constant, source, "every element is value") \
  TENON_OP(rand_uniform,   (), (), (key), Sized,    random, "uniform in [0, 1)") \
  TENON_OP(bernoulli_mask, (), (), (key), Keep,     random, "1 where the draw is below keep, else 0") \
  TENON_OP(init_uniform,   (), (), (key), Interval, source, "uniform in [low, high)") \
  TENON_OP(init_normal,    (), (), (key), Gaussian, source, "normal with mean and standard deviation, by Box and Muller")
// clang-format on

namespace tenon::rule {

/// A source makes exactly what it is told: no extent may be unknown.
constexpr Shape sized(const Shape& wanted, Message& why) {
  if (!is_static(wanted)) return refuse(why, "shape ", wanted, " has an unknown extent");
  return holds_extents(wanted, why) ? wanted : Shape{};
}

constexpr bool is_finite(double x) { return x - x == 0; }

constexpr Shape fill(In, const Attributes& a, Message& why) { return sized(std::get<Constant>(a).shape, why); }

constexpr Shape rand_uniform(In, const Attributes& a, Message& why) { return sized(std::get<Sized>(a).shape, why); }

constexpr Shape bernoulli_mask(In, const Attributes& attributes, Message& why) {
  const Keep& a = std::get<Keep>(attributes);
  if (!(a.keep >= 0 && a.keep <= 1)) return refuse(why, "keep must lie in [0, 1]");
  return sized(a.shape, why);
}

constexpr Shape init_uniform(In, const Attributes& attributes, Message& why) {
  const Interval& a = std::get<Interval>(attributes);
  if (!is_finite(a.low) || !is_finite(a.high)) return refuse(why, "low and high must be finite");
  if (a.low > a.high) return refuse(why, "low exceeds high");
  // Halves first: high - low may overflow, which neither bound says.
  if (a.high / 2 - a.low / 2 > std::numeric_limits<double>::max() / 2) return refuse(why, "high - low overflows");
  return sized(a.shape, why);
}

constexpr Shape init_normal(In, const Attributes& attributes, Message& why) {
  const Gaussian& a = std::get<Gaussian>(attributes);
  if (!is_finite(a.mean) || !is_finite(a.std)) return refuse(why, "mean and std must be finite");
  if (a.std < 0) return refuse(why, "std must be 0 or more");
  return sized(a.shape, why);
}

}  // namespace tenon::rule
