// update_rules.h: one step of the usual optimizers for one element; PyTorch's single-tensor formulas.
//
// A rule is made when a kernel is prepared; its step(arguments) computes, in binary64 and rounded to T once, what does
// not depend on the element (rates, bias corrections). A step's call operator gets the element's values by reference
// and changes those that are also results. Values; any thread.
#pragma once
#include "provider.h"

namespace tenon::cpu::reference {

template <class T>
struct SgdRule {
  using dtypes = T(T, T);  // parameter, gradient
  static constexpr std::array<const char*, 0> attributes{};

  explicit SgdRule(const SignatureView&) {}

  struct Step {
    T rate;
    void operator()(T& parameter, T gradient) const { parameter = parameter - rate * gradient; }
  };
  Step step(const Arguments& arguments) const { return {static_cast<T>(arguments.scalar(0).f)}; }
};

template <class T>
struct MomentumRule {
  using dtypes = plugin::Results<T, T>(T, T, T);  // parameter, gradient, velocity
  static constexpr auto attributes = plugin::names("momentum");

  explicit MomentumRule(const SignatureView& signature) : momentum(static_cast<T>(signature.real("momentum", 0.9))) {}

  struct Step {
    T rate, momentum;
    void operator()(T& parameter, T gradient, T& velocity) const {
      velocity = momentum * velocity + gradient;
      parameter = parameter - rate * velocity;
    }
  };
  Step step(const Arguments& arguments) const { return {static_cast<T>(arguments.scalar(0).f), momentum}; }
  T momentum;
};

/// What adam and adamw share: the moments m and v, and the step along them.
template <class T>
struct Moments {
  T first, beta2, second, epsilon;  // first = 1 - beta1, second = 1 - beta2
  T step_size, correction;          // rate / (1 - beta1^step), sqrt(1 - beta2^step)

  void operator()(T& parameter, T gradient, T& m, T& v) const {
    m = m + first * (gradient - m);
    v = beta2 * v + (second * gradient) * gradient;
    const T denominator = strict::sqrt(v) / correction + epsilon;
    parameter = parameter - (step_size * m) / denominator;
  }
};

/// Steps as a power's exponent, or as what a rate decays by.
inline std::uint64_t counted_from_one(const char* op, std::int64_t step) {
  if (step < 1) plugin::refuse("[", op, "] step ", step, ": steps count from 1");
  return static_cast<std::uint64_t>(step);
}

/// The gradient with weight decay, which leaves it alone where it is 0.
template <class T>
T decayed(T gradient, T decay, T parameter) {
  return decay == 0 ? gradient : gradient + decay * parameter;
}

struct MomentAttributes {
  static constexpr auto names = plugin::names("beta1", "beta2", "epsilon", "decay");

  explicit MomentAttributes(const SignatureView& signature)
      : beta1(signature.real("beta1", 0.9)),
        beta2(signature.real("beta2", 0.999)),
        epsilon(signature.real("epsilon", 1e-8)),
        decay(signature.real("decay", 0)) {}

  template <class T>
  Moments<T> at(double rate, std::uint64_t n) const {
    const double step_size = rate / (1 - strict::power(beta1, n));
    const double correction = strict::sqrt(1 - strict::power(beta2, n));
    return {static_cast<T>(1 - beta1), static_cast<T>(beta2),     static_cast<T>(1 - beta2),
            static_cast<T>(epsilon),   static_cast<T>(step_size), static_cast<T>(correction)};
  }
  double beta1, beta2, epsilon, decay;
};

template <class T>
struct AdamRule {
  using dtypes = plugin::Results<T, T, T>(T, T, T, T);  // parameter, gradient, m, v
  static constexpr auto attributes = MomentAttributes::names;

  explicit AdamRule(const SignatureView& signature) : moments(signature) {}

  struct Step {
    Moments<T> moments;
    T decay;
    void operator()(T& parameter, T gradient, T& m, T& v) const {
      moments(parameter, decayed(gradient, decay, parameter), m, v);
    }
  };
  Step step(const Arguments& arguments) const {
    const std::uint64_t step = counted_from_one("adam", arguments.scalar(1).i);
    return {moments.at<T>(arguments.scalar(0).f, step), static_cast<T>(moments.decay)};
  }
  MomentAttributes moments;
};

template <class T>
struct AdamwRule {
  using dtypes = plugin::Results<T, T, T>(T, T, T, T);  // parameter, gradient, m, v
  static constexpr auto attributes = MomentAttributes::names;

  explicit AdamwRule(const SignatureView& signature) : moments(signature) {}

  struct Step {
    Moments<T> moments;
    T shrink;  // 1 - rate * decay
    void operator()(T& parameter, T gradient, T& m, T& v) const {
      parameter = parameter * shrink;
      moments(parameter, gradient, m, v);
    }
  };
  Step step(const Arguments& arguments) const {
    const double rate = arguments.scalar(0).f;
    const std::uint64_t step = counted_from_one("adamw", arguments.scalar(1).i);
    return {moments.at<T>(rate, step), static_cast<T>(1 - rate * moments.decay)};
  }
  MomentAttributes moments;
};

}  // namespace tenon::cpu::reference
