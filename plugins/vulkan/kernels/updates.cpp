// Updates: one step of an optimizer for one parameter. What is the same for all elements is computed here, in binary64,
// as docs/numerics.md has it, and rounded once.
#include "kernel.h"
#include "tenon/numerics.h"

namespace tenon::vulkan {
namespace {

std::uint64_t counted_from_one(const char* op, std::int64_t step) {
  if (step < 1) plugin::refuse("[", std::string_view(op), "] step ", step, ": steps count from 1");
  return static_cast<std::uint64_t>(step);
}

template <std::uint32_t States, class T>
struct UpdateTypes;
template <class T>
struct UpdateTypes<0, T> {
  using type = T(T, T);
};
template <class T>
struct UpdateTypes<1, T> {
  using type = plugin::Results<T, T>(T, T, T);
};
template <class T>
struct UpdateTypes<2, T> {
  using type = plugin::Results<T, T, T>(T, T, T, T);
};

/// Results are the operands but the gradient, in order, and may stand in their storage.
template <class T, std::uint32_t Shader, std::uint32_t States>
struct Update {
  using dtypes = typename UpdateTypes<States, T>::type;
  static constexpr bool in_place = true;
  static constexpr bool differentiable = false;
  static constexpr bool wide = sizeof(T) == 8;

  explicit Update(const SignatureView& s) : elements(s.output().elements()) {}

  Plan plan(const SignatureView& s) const {
    Plan plan;
    Pass& pass = plan.add(Shader);
    for (std::uint32_t i = 0; i < 2 + States; ++i) pass.reads(s, i);
    for (std::uint32_t i = 0; i < 1 + States; ++i) pass.writes(s, i);
    pass.over(elements);
    return plan;
  }
  /// The number of elements, then the numbers given.
  void put(Push& push, std::initializer_list<double> numbers) const {
    push.count(elements);
    for (const double number : numbers) push.real(number, wide);
  }
  std::uint64_t elements;
};

template <class T>
struct Sgd : Update<T, shader("updates.sgd"), 0> {
  using Update<T, shader("updates.sgd"), 0>::Update;
  void scalars(const Arguments& a, Push& push) const { this->put(push, {a.scalar(0).f}); }
};

template <class T>
struct Momentum : Update<T, shader("updates.momentum"), 1> {
  static constexpr auto attributes = plugin::names("momentum");
  explicit Momentum(const SignatureView& s)
      : Update<T, shader("updates.momentum"), 1>(s), momentum(s.real("momentum", 0.9)) {}
  void scalars(const Arguments& a, Push& push) const { this->put(push, {a.scalar(0).f, momentum}); }
  double momentum;
};

template <class T, std::uint32_t Shader>
struct Moments : Update<T, Shader, 2> {
  static constexpr auto attributes = plugin::names("beta1", "beta2", "epsilon", "decay");
  explicit Moments(const SignatureView& s)
      : Update<T, Shader, 2>(s),
        beta1(s.real("beta1", 0.9)),
        beta2(s.real("beta2", 0.999)),
        epsilon(s.real("epsilon", 1e-8)),
        decay(s.real("decay", 0)) {}

  void put_moments(Push& push, double rate, std::uint64_t step, double last) const {
    const double step_size = rate / (1 - strict::power(beta1, step));
    const double correction = strict::sqrt(1 - strict::power(beta2, step));
    this->put(push, {1 - beta1, beta2, 1 - beta2, epsilon, step_size, correction, last});
  }
  double beta1, beta2, epsilon, decay;
};

template <class T>
struct Adam : Moments<T, shader("updates.adam")> {
  using Moments<T, shader("updates.adam")>::Moments;
  void scalars(const Arguments& a, Push& push) const {
    this->put_moments(push, a.scalar(0).f, counted_from_one("adam", a.scalar(1).i), this->decay);
  }
};

template <class T>
struct Adamw : Moments<T, shader("updates.adamw")> {
  using Moments<T, shader("updates.adamw")>::Moments;
  void scalars(const Arguments& a, Push& push) const {
    const double rate = a.scalar(0).f;
    this->put_moments(push, rate, counted_from_one("adamw", a.scalar(1).i), 1 - rate * this->decay);
  }
};

template <class T>
struct Adagrad : Update<T, shader("updates.adagrad"), 1> {
  static constexpr auto attributes = plugin::names("rate_decay", "epsilon", "decay");
  explicit Adagrad(const SignatureView& s)
      : Update<T, shader("updates.adagrad"), 1>(s),
        rate_decay(s.real("rate_decay", 0)),
        epsilon(s.real("epsilon", 1e-10)),
        decay(s.real("decay", 0)) {}
  void scalars(const Arguments& a, Push& push) const {
    const std::uint64_t earlier = counted_from_one("adagrad", a.scalar(1).i) - 1;
    this->put(push, {a.scalar(0).f / (1 + static_cast<double>(earlier) * rate_decay), epsilon, decay});
  }
  double rate_decay, epsilon, decay;
};

template <class T>
struct Rmsprop : Update<T, shader("updates.rmsprop"), 1> {
  static constexpr auto attributes = plugin::names("alpha", "epsilon", "decay");
  explicit Rmsprop(const SignatureView& s)
      : Update<T, shader("updates.rmsprop"), 1>(s),
        alpha(s.real("alpha", 0.99)),
        epsilon(s.real("epsilon", 1e-8)),
        decay(s.real("decay", 0)) {}
  void scalars(const Arguments& a, Push& push) const {
    this->put(push, {a.scalar(0).f, alpha, 1 - alpha, epsilon, decay});
  }
  double alpha, epsilon, decay;
};

template <class T>
struct Adadelta : Update<T, shader("updates.adadelta"), 2> {
  static constexpr auto attributes = plugin::names("rho", "epsilon", "decay");
  explicit Adadelta(const SignatureView& s)
      : Update<T, shader("updates.adadelta"), 2>(s),
        rho(s.real("rho", 0.9)),
        epsilon(s.real("epsilon", 1e-6)),
        decay(s.real("decay", 0)) {}
  void scalars(const Arguments& a, Push& push) const { this->put(push, {a.scalar(0).f, rho, 1 - rho, epsilon, decay}); }
  double rho, epsilon, decay;
};

TENON_CAPSULES capsules =
    plugin::join(both<"sgd", Sgd>, both<"momentum", Momentum>, both<"adam", Adam>, both<"adamw", Adamw>,
                 both<"adagrad", Adagrad>, both<"rmsprop", Rmsprop>, both<"adadelta", Adadelta>);

}  // namespace
}  // namespace tenon::vulkan
