// Updates: one step of an optimizer for one parameter. What is the same for all elements is computed here, in binary64,
// as docs/numerics.md has it, and rounded once.
#include "kernel.h"
#include "tenon/numerics.h"

namespace tenon::metal {
namespace {

std::uint64_t counted_from_one(const char* op, std::int64_t step) {
  if (step < 1) plugin::refuse("[", std::string_view(op), "] step ", step, ": steps count from 1");
  return static_cast<std::uint64_t>(step);
}

template <std::uint32_t States>
struct UpdateTypes;
template <>
struct UpdateTypes<0> {
  using type = float(float, float);
};
template <>
struct UpdateTypes<1> {
  using type = plugin::Results<float, float>(float, float, float);
};
template <>
struct UpdateTypes<2> {
  using type = plugin::Results<float, float, float>(float, float, float, float);
};

/// Results are the operands but the gradient, in order, and may stand in their storage.
template <plugin::FixedText Name, std::uint32_t States>
struct Update {
  using dtypes = typename UpdateTypes<States>::type;
  static constexpr bool in_place = true;
  static constexpr bool differentiable = false;

  explicit Update(const SignatureView& s) : elements(s.output().elements()) {}

  Plan plan(const SignatureView& s) const {
    Plan plan;
    Pass& pass = plan.add(plugin::detail::text_of<Name>.characters);
    for (std::uint32_t i = 0; i < 2 + States; ++i) pass.reads(s, i);
    for (std::uint32_t i = 0; i < 1 + States; ++i) pass.writes(s, i);
    pass.over_fours(elements);
    return plan;
  }
  Constants constants(std::initializer_list<double> numbers) const {
    tenon_metal::Update constants{};
    constants.count = count32(elements);
    std::transform(numbers.begin(), numbers.end(), constants.numbers,
                   [](double number) { return static_cast<float>(number); });
    return constants;
  }
  std::uint64_t elements;
};

struct Sgd : Update<"updates_sgd", 0> {
  using Update::Update;
  Constants scalars(const Arguments& a) const { return constants({a.scalar(0).f}); }
};

struct Momentum : Update<"updates_momentum", 1> {
  static constexpr auto attributes = plugin::names("momentum");
  explicit Momentum(const SignatureView& s) : Update(s), momentum(s.real("momentum", 0.9)) {}
  Constants scalars(const Arguments& a) const { return constants({a.scalar(0).f, momentum}); }
  double momentum;
};

template <plugin::FixedText Name>
struct Moments : Update<Name, 2> {
  static constexpr auto attributes = plugin::names("beta1", "beta2", "epsilon", "decay");
  explicit Moments(const SignatureView& s)
      : Update<Name, 2>(s),
        beta1(s.real("beta1", 0.9)),
        beta2(s.real("beta2", 0.999)),
        epsilon(s.real("epsilon", 1e-8)),
        decay(s.real("decay", 0)) {}

  Constants moments(double rate, std::uint64_t step, double last) const {
    const double step_size = rate / (1 - tenon::strict::power(beta1, step));
    const double correction = tenon::strict::sqrt(1 - tenon::strict::power(beta2, step));
    return this->constants({1 - beta1, beta2, 1 - beta2, epsilon, step_size, correction, last});
  }
  double beta1, beta2, epsilon, decay;
};

struct Adam : Moments<"updates_adam"> {
  using Moments::Moments;
  Constants scalars(const Arguments& a) const {
    return moments(a.scalar(0).f, counted_from_one("adam", a.scalar(1).i), decay);
  }
};

struct Adamw : Moments<"updates_adamw"> {
  using Moments::Moments;
  Constants scalars(const Arguments& a) const {
    const double rate = a.scalar(0).f;
    return moments(rate, counted_from_one("adamw", a.scalar(1).i), 1 - rate * decay);
  }
};

struct Adagrad : Update<"updates_adagrad", 1> {
  static constexpr auto attributes = plugin::names("rate_decay", "epsilon", "decay");
  explicit Adagrad(const SignatureView& s)
      : Update(s), rate_decay(s.real("rate_decay", 0)), epsilon(s.real("epsilon", 1e-10)), decay(s.real("decay", 0)) {}
  Constants scalars(const Arguments& a) const {
    const std::uint64_t earlier = counted_from_one("adagrad", a.scalar(1).i) - 1;
    return constants({a.scalar(0).f / (1 + static_cast<double>(earlier) * rate_decay), epsilon, decay});
  }
  double rate_decay, epsilon, decay;
};

struct Rmsprop : Update<"updates_rmsprop", 1> {
  static constexpr auto attributes = plugin::names("alpha", "epsilon", "decay");
  explicit Rmsprop(const SignatureView& s)
      : Update(s), alpha(s.real("alpha", 0.99)), epsilon(s.real("epsilon", 1e-8)), decay(s.real("decay", 0)) {}
  Constants scalars(const Arguments& a) const { return constants({a.scalar(0).f, alpha, 1 - alpha, epsilon, decay}); }
  double alpha, epsilon, decay;
};

struct Adadelta : Update<"updates_adadelta", 2> {
  static constexpr auto attributes = plugin::names("rho", "epsilon", "decay");
  explicit Adadelta(const SignatureView& s)
      : Update(s), rho(s.real("rho", 0.9)), epsilon(s.real("epsilon", 1e-6)), decay(s.real("decay", 0)) {}
  Constants scalars(const Arguments& a) const { return constants({a.scalar(0).f, rho, 1 - rho, epsilon, decay}); }
  double rho, epsilon, decay;
};

TENON_CAPSULES capsules =
    plugin::join(strict<"sgd", Sgd>, strict<"momentum", Momentum>, strict<"adam", Adam>, strict<"adamw", Adamw>,
                 strict<"adagrad", Adagrad>, strict<"rmsprop", Rmsprop>, strict<"adadelta", Adadelta>);

}  // namespace
}  // namespace tenon::metal
