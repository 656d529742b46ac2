// Updates: one step of an optimizer for one parameter, as update_rules.h and the rules below have it.
#include "update_rules.h"

namespace tenon::cpu::reference {
namespace {

template <class T>
struct AdagradRule {
  using dtypes = plugin::Results<T, T>(T, T, T);  // parameter, gradient, sum
  static constexpr auto attributes = plugin::names("rate_decay", "epsilon", "decay");

  explicit AdagradRule(const SignatureView& signature)
      : rate_decay(signature.real("rate_decay", 0)),
        epsilon(static_cast<T>(signature.real("epsilon", 1e-10))),
        decay(static_cast<T>(signature.real("decay", 0))) {}

  struct Step {
    T rate, epsilon, decay;
    void operator()(T& parameter, T gradient, T& sum) const {
      const T g = decayed(gradient, decay, parameter);
      sum = sum + g * g;
      parameter = parameter - (rate * g) / (strict::sqrt(sum) + epsilon);
    }
  };
  Step step(const Arguments& arguments) const {
    const std::uint64_t earlier = counted_from_one("adagrad", arguments.scalar(1).i) - 1;
    const double rate = arguments.scalar(0).f / (1 + static_cast<double>(earlier) * rate_decay);
    return {static_cast<T>(rate), epsilon, decay};
  }
  double rate_decay;
  T epsilon, decay;
};

template <class T>
struct RmspropRule {
  using dtypes = plugin::Results<T, T>(T, T, T);  // parameter, gradient, square_average
  static constexpr auto attributes = plugin::names("alpha", "epsilon", "decay");

  explicit RmspropRule(const SignatureView& signature)
      : alpha(signature.real("alpha", 0.99)),
        epsilon(static_cast<T>(signature.real("epsilon", 1e-8))),
        decay(static_cast<T>(signature.real("decay", 0))) {}

  struct Step {
    T rate, alpha, rest, epsilon, decay;  // rest = 1 - alpha
    void operator()(T& parameter, T gradient, T& square_average) const {
      const T g = decayed(gradient, decay, parameter);
      square_average = alpha * square_average + (rest * g) * g;
      parameter = parameter - (rate * g) / (strict::sqrt(square_average) + epsilon);
    }
  };
  Step step(const Arguments& arguments) const {
    return {static_cast<T>(arguments.scalar(0).f), static_cast<T>(alpha), static_cast<T>(1 - alpha), epsilon, decay};
  }
  double alpha;
  T epsilon, decay;
};

template <class T>
struct AdadeltaRule {
  using dtypes = plugin::Results<T, T, T>(T, T, T, T);  // parameter, gradient, square_average, delta_average
  static constexpr auto attributes = plugin::names("rho", "epsilon", "decay");

  explicit AdadeltaRule(const SignatureView& signature)
      : rho(signature.real("rho", 0.9)),
        epsilon(static_cast<T>(signature.real("epsilon", 1e-6))),
        decay(static_cast<T>(signature.real("decay", 0))) {}

  struct Step {
    T rate, rho, rest, epsilon, decay;  // rest = 1 - rho
    void operator()(T& parameter, T gradient, T& square_average, T& delta_average) const {
      const T g = decayed(gradient, decay, parameter);
      square_average = rho * square_average + (rest * g) * g;
      const T delta = strict::sqrt(delta_average + epsilon) / strict::sqrt(square_average + epsilon) * g;
      delta_average = rho * delta_average + (rest * delta) * delta;
      parameter = parameter - rate * delta;
    }
  };
  Step step(const Arguments& arguments) const {
    return {static_cast<T>(arguments.scalar(0).f), static_cast<T>(rho), static_cast<T>(1 - rho), epsilon, decay};
  }
  double rho;
  T epsilon, decay;
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

template <class T>
using Adagrad = Update<T, AdagradRule<T>>;
template <class T>
using Rmsprop = Update<T, RmspropRule<T>>;
template <class T>
using Adadelta = Update<T, AdadeltaRule<T>>;

TENON_CAPSULES capsules =
    plugin::join(both<"sgd", Sgd>, both<"momentum", Momentum>, both<"adam", Adam>, both<"adamw", Adamw>,
                 both<"adagrad", Adagrad>, both<"rmsprop", Rmsprop>, both<"adadelta", Adadelta>);

}  // namespace
}  // namespace tenon::cpu::reference
