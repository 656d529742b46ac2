// Updates: one step of an optimizer for one parameter; PyTorch's single-tensor formulas.
//
// What does not depend on the element (rates, bias corrections) is computed in binary64 and rounded to T once. A rule's
// call operator gets the element's values by reference and changes those that are also results.
#include "provider.h"

namespace tenon::cpu::reference {
namespace {

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

struct MomentAttributes {
  static constexpr auto names = plugin::names("beta1", "beta2", "epsilon", "decay");

  explicit MomentAttributes(const SignatureView& signature)
      : beta1(signature.real("beta1", 0.9)),
        beta2(signature.real("beta2", 0.999)),
        epsilon(signature.real("epsilon", 1e-8)),
        decay(signature.real("decay", 0)) {}

  template <class T>
  Moments<T> at(double rate, std::int64_t step) const {
    if (step < 1) plugin::refuse("[adam] step ", step, ": steps count from 1");
    const auto n = static_cast<std::uint64_t>(step);
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
      moments(parameter, decay == 0 ? gradient : gradient + decay * parameter, m, v);
    }
  };
  Step step(const Arguments& arguments) const {
    return {moments.at<T>(arguments.scalar(0).f, arguments.scalar(1).i), static_cast<T>(moments.decay)};
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
    return {moments.at<T>(rate, arguments.scalar(1).i), static_cast<T>(1 - rate * moments.decay)};
  }
  MomentAttributes moments;
};

/// Results are the operands but the gradient, in order, and may stand in their storage.
template <class T, class Rule>
class Update {
 public:
  using dtypes = typename Rule::dtypes;
  static constexpr auto attributes = Rule::attributes;
  static constexpr bool in_place = true;
  static constexpr bool differentiable = false;

  explicit Update(const SignatureView& signature) : rule_(signature), elements_(signature.output().elements()) {}

  void operator()(const Arguments& arguments) const { run(arguments, States()); }

 private:
  /// Values beside parameter and gradient.
  static constexpr std::uint32_t state_count = plugin::detail::Types<dtypes>::results - 1;
  using States = std::make_integer_sequence<std::uint32_t, state_count>;

  template <std::uint32_t... S>
  void run(const Arguments& arguments, std::integer_sequence<std::uint32_t, S...>) const {
    const auto step = rule_.step(arguments);
    const T* parameters = arguments.operand<T>(0);
    const T* gradients = arguments.operand<T>(1);
    T* updated_parameters = arguments.output<T>(0);
    const std::array<const T*, state_count> states{arguments.operand<T>(2 + S)...};
    const std::array<T*, state_count> updated_states{arguments.output<T>(1 + S)...};
    plugin::for_ranges(elements_, operations_per_range / 4, [=](std::uint64_t begin, std::uint64_t end) {
      for (std::uint64_t i = begin; i < end; ++i) {
        T parameter = parameters[i];
        [[maybe_unused]] std::array<T, state_count> state{states[S][i]...};
        step(parameter, gradients[i], state[S]...);
        updated_parameters[i] = parameter;
        ((updated_states[S][i] = state[S]), ...);
      }
    });
  }

  Rule rule_;
  std::uint64_t elements_;
};

template <class T>
using Sgd = Update<T, SgdRule<T>>;
template <class T>
using Momentum = Update<T, MomentumRule<T>>;
template <class T>
using Adam = Update<T, AdamRule<T>>;
template <class T>
using Adamw = Update<T, AdamwRule<T>>;

TENON_CAPSULES capsules =
    plugin::join(both<"sgd", Sgd>, both<"momentum", Momentum>, both<"adam", Adam>, both<"adamw", Adamw>);

}  // namespace
}  // namespace tenon::cpu::reference
