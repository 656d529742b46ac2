// updates.h: one step of an optimizer for one parameter. Outputs are the inputs but the gradient, in order and in
// place.
#pragma once
#include "tenon/rule.h"

// clang-format off
#define TENON_UPDATE_OPS(TENON_OP) \
  TENON_OP(sgd,      (parameter, gradient),           (), (rate),       NoAttributes, update, "parameter - rate * gradient") \
  TENON_OP(momentum, (parameter, gradient, velocity), (), (rate),       Momentum,     update, "velocity = momentum * velocity + gradient; parameter - rate * velocity") \
  TENON_OP(adam,     (parameter, gradient, m, v),     (), (rate, step), Moments,      update, "Kingma and Ba 2015, as in PyTorch; decay is added to the gradient") \
  TENON_OP(adamw,    (parameter, gradient, m, v),     (), (rate, step), Moments,      update, "Loshchilov and Hutter 2019, as in PyTorch; decay shrinks the parameter")
// clang-format on

namespace tenon::rule {

constexpr bool is_fraction(double x) { return x >= 0 && x < 1; }

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

}  // namespace tenon::rule
