// Updates: for each launch the host computes, in binary64 and rounded once, what does not depend on the element; a
// kernel does the rest. Results are the operands but the gradient, in order, and may stand in their storage.
#include "kernels/update_rules.h"
#include "native.h"

namespace tenon::gpu {
namespace {

/// Steps as a power's exponent, or as what a rate decays by.
std::uint64_t counted_from_one(const char* op, std::int64_t step) {
  if (step < 1) refuse("[", op, "] step ", step, ": steps count from 1");
  return static_cast<std::uint64_t>(step);
}

double rate_of(const Arguments& arguments) { return arguments.scalar(0).f; }

// -- rules: made when a kernel is prepared; called for each launch ------------------------------------------

template <class T>
struct SgdRule {
  static constexpr const char* kernel = "sgd";
  static constexpr std::array<const char*, 0> attributes{};
  explicit SgdRule(const SignatureView&) {}
  SgdStep<T> operator()(const Arguments& arguments) const { return {static_cast<T>(rate_of(arguments))}; }
};

template <class T>
struct MomentumRule {
  static constexpr const char* kernel = "momentum";
  static constexpr auto attributes = names("momentum");
  explicit MomentumRule(const SignatureView& s) : momentum(static_cast<T>(s.real("momentum", 0.9))) {}
  MomentumStep<T> operator()(const Arguments& arguments) const {
    return {static_cast<T>(rate_of(arguments)), momentum};
  }
  T momentum;
};

struct MomentAttributes {
  static constexpr auto attributes = names("beta1", "beta2", "epsilon", "decay");

  explicit MomentAttributes(const SignatureView& s)
      : beta1(s.real("beta1", 0.9)),
        beta2(s.real("beta2", 0.999)),
        epsilon(s.real("epsilon", 1e-8)),
        decay(s.real("decay", 0)) {}

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
struct AdamRule : MomentAttributes {
  static constexpr const char* kernel = "adam";
  using MomentAttributes::MomentAttributes;
  AdamStep<T> operator()(const Arguments& arguments) const {
    return {at<T>(rate_of(arguments), counted_from_one(kernel, arguments.scalar(1).i)), static_cast<T>(decay)};
  }
};

template <class T>
struct AdamwRule : MomentAttributes {
  static constexpr const char* kernel = "adamw";
  using MomentAttributes::MomentAttributes;
  AdamwStep<T> operator()(const Arguments& arguments) const {
    const double rate = rate_of(arguments);
    return {at<T>(rate, counted_from_one(kernel, arguments.scalar(1).i)), static_cast<T>(1 - rate * decay)};
  }
};

template <class T>
struct AdagradRule {
  static constexpr const char* kernel = "adagrad";
  static constexpr auto attributes = names("rate_decay", "epsilon", "decay");
  explicit AdagradRule(const SignatureView& s)
      : rate_decay(s.real("rate_decay", 0)),
        epsilon(static_cast<T>(s.real("epsilon", 1e-10))),
        decay(static_cast<T>(s.real("decay", 0))) {}
  AdagradStep<T> operator()(const Arguments& arguments) const {
    const std::uint64_t earlier = counted_from_one(kernel, arguments.scalar(1).i) - 1;
    const double rate = rate_of(arguments) / (1 + static_cast<double>(earlier) * rate_decay);
    return {static_cast<T>(rate), epsilon, decay};
  }
  double rate_decay;
  T epsilon, decay;
};

template <class T>
struct RmspropRule {
  static constexpr const char* kernel = "rmsprop";
  static constexpr auto attributes = names("alpha", "epsilon", "decay");
  explicit RmspropRule(const SignatureView& s)
      : alpha(s.real("alpha", 0.99)),
        epsilon(static_cast<T>(s.real("epsilon", 1e-8))),
        decay(static_cast<T>(s.real("decay", 0))) {}
  RmspropStep<T> operator()(const Arguments& arguments) const {
    return {static_cast<T>(rate_of(arguments)), static_cast<T>(alpha), static_cast<T>(1 - alpha), epsilon, decay};
  }
  double alpha;
  T epsilon, decay;
};

template <class T>
struct AdadeltaRule {
  static constexpr const char* kernel = "adadelta";
  static constexpr auto attributes = names("rho", "epsilon", "decay");
  explicit AdadeltaRule(const SignatureView& s)
      : rho(s.real("rho", 0.9)),
        epsilon(static_cast<T>(s.real("epsilon", 1e-6))),
        decay(static_cast<T>(s.real("decay", 0))) {}
  AdadeltaStep<T> operator()(const Arguments& arguments) const {
    return {static_cast<T>(rate_of(arguments)), static_cast<T>(rho), static_cast<T>(1 - rho), epsilon, decay};
  }
  double rho;
  T epsilon, decay;
};

// -- from a rule to a kernel --------------------------------------------------------------------------------

template <class T, std::uint32_t states>
struct Types;
template <class T>
struct Types<T, 0> {
  using dtypes = T(T, T);  // parameter, gradient
};
template <class T>
struct Types<T, 1> {
  using dtypes = plugin::Results<T, T>(T, T, T);
};
template <class T>
struct Types<T, 2> {
  using dtypes = plugin::Results<T, T, T>(T, T, T, T);
};

template <template <class> class Rule, std::uint32_t states>
struct Update {
  template <class T>
  struct Of : Types<T, states>, InPlace, NotDifferentiable {
    static constexpr auto attributes = Rule<T>::attributes;
    static void plan(Plan& plan) {
      launch(plan, std::make_integer_sequence<std::uint32_t, states + 1>(),
             std::make_integer_sequence<std::uint32_t, states + 2>());
    }

   private:
    template <std::uint32_t... O, std::uint32_t... I>
    static void launch(Plan& plan, std::integer_sequence<std::uint32_t, O...>,
                       std::integer_sequence<std::uint32_t, I...>) {
      const std::uint64_t n = plan.signature().output().elements();
      plan.launch_threads("updates", Rule<T>::kernel, pack_threads<T>(n), n, computed(Rule<T>(plan.signature())),
                          Output{O}..., Operand{I}...);
    }
  };
};

TENON_CAPSULES capsules = plugin::join(
    both<"sgd", Update<SgdRule, 0>::template Of>, both<"momentum", Update<MomentumRule, 1>::template Of>,
    both<"adam", Update<AdamRule, 2>::template Of>, both<"adamw", Update<AdamwRule, 2>::template Of>,
    both<"adagrad", Update<AdagradRule, 1>::template Of>, both<"rmsprop", Update<RmspropRule, 1>::template Of>,
    both<"adadelta", Update<AdadeltaRule, 2>::template Of>);

}  // namespace
}  // namespace tenon::gpu
