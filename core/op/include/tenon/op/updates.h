// updates.h: one step of an optimizer for one parameter. Outputs are the inputs but the gradient, in order and in
// place.
#pragma once
#include "tenon/rule.h"

// clang-format off
#define TENON_UPDATE_OPS(TENON_OP) \
  TENON_OP(sgd,      (parameter, gradient),           (), (rate),       NoAttributes, update, "parameter - rate * gradient") \
  TENON_OP(momentum, (parameter, gradient, velocity), (), (rate),       Momentum,     update, "velocity = momentum * velocity + gradient; parameter - rate * velocity") \
  TENON_OP(adam,     (parameter, gradient, m, v),     (), (rate, step), Moments,      update, "Kingma and Ba 2015, as in PyTorch; decay is added to the gradient") \
  TENON_OP(adamw,    (parameter, gradient, m, v),     (), (rate, step), Moments,      update, "Loshchilov and Hutter 2019, as in PyTorch; decay shrinks the parameter") \
  TENON_OP(adagrad,  (parameter, gradient, sum),      (), (rate, step), Adagrad,      update, "Duchi, Hazan and Singer 2011, as in PyTorch; decay is added to the gradient") \
  TENON_OP(rmsprop,  (parameter, gradient, square_average), (), (rate), Rmsprop,      update, "Hinton 2012, as in PyTorch; decay is added to the gradient") \
  TENON_OP(adadelta, (parameter, gradient, square_average, delta_average), (), (rate), Adadelta, update, "Zeiler 2012, as in PyTorch; decay is added to the gradient")
// clang-format on

namespace tenon::rule {

constexpr bool is_fraction(double x) { return x >= 0 && x < 1; }

/// What the optimizers that smooth with one number share; `smoothing` may be 1: nothing new is taken in.
template <class A>
constexpr Shape smoothed(In in, const Attributes& attributes, double smoothing, std::string_view named, Message& why) {
  const A& a = std::get<A>(attributes);
  if (!(smoothing >= 0 && smoothing <= 1)) return refuse(why, named, " must lie in [0, 1]");
  if (!(a.epsilon >= 0) || !(a.decay >= 0)) return refuse(why, "epsilon and decay must be 0 or more");
  return alike(in, attributes, why);
}

constexpr Shape adaptive(In in, const Attributes& attributes, Message& why) {
  const Moments& a = std::get<Moments>(attributes);
  if (!is_fraction(a.beta1) || !is_fraction(a.beta2)) return refuse(why, "beta1 and beta2 must lie in [0, 1)");
  if (!(a.epsilon >= 0) || !(a.decay >= 0)) return refuse(why, "epsilon and decay must be 0 or more");
  return alike(in, attributes, why);
}

constexpr Shape sgd(In in, const Attributes& a, Message& why) { return alike(in, a, why); }

constexpr Shape momentum(In in, const Attributes& a, Message& why) {
  if (!(std::get<Momentum>(a).momentum >= 0)) return refuse(why, "momentum must be 0 or more");
  return alike(in, a, why);
}

constexpr Shape adam(In in, const Attributes& a, Message& why) { return adaptive(in, a, why); }
constexpr Shape adamw(In in, const Attributes& a, Message& why) { return adaptive(in, a, why); }

constexpr Shape adagrad(In in, const Attributes& attributes, Message& why) {
  const Adagrad& a = std::get<Adagrad>(attributes);
  if (!(a.rate_decay >= 0) || !(a.epsilon >= 0) || !(a.decay >= 0))
    return refuse(why, "rate_decay, epsilon and decay must be 0 or more");
  return alike(in, attributes, why);
}

constexpr Shape rmsprop(In in, const Attributes& a, Message& why) {
  return smoothed<Rmsprop>(in, a, std::get<Rmsprop>(a).alpha, "alpha", why);
}

constexpr Shape adadelta(In in, const Attributes& a, Message& why) {
  return smoothed<Adadelta>(in, a, std::get<Adadelta>(a).rho, "rho", why);
}

}  // namespace tenon::rule
