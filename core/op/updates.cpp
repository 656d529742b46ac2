#include <cmath>

#include "case_list.h"
#include "host_walk.h"
#include "tenon/op_table.h"

namespace tenon {
namespace reference {
namespace {

/// One element of adam's or adamw's step.
struct Moment {
  double parameter, m, v;
};

/// Kingma and Ba 2015, algorithm 1, with PyTorch's place for epsilon.
Moment adaptive_step(Moment x, double gradient, const Moments& a, double rate, double step) {
  x.m = a.beta1 * x.m + (1 - a.beta1) * gradient;
  x.v = a.beta2 * x.v + (1 - a.beta2) * gradient * gradient;
  const double correction1 = 1 - std::pow(a.beta1, step), correction2 = 1 - std::pow(a.beta2, step);
  const double denominator = std::sqrt(x.v) / std::sqrt(correction2) + a.epsilon;
  x.parameter -= rate / correction1 * (x.m / denominator);
  return x;
}

/// `coupled`: decay joins the gradient (adam), else it shrinks the parameter beforehand (adamw).
void adaptive(ReferenceCall& c, bool coupled) {
  const Moments& a = std::get<Moments>(c.attributes);
  const double rate = c.scalars[0].f, step = static_cast<double>(c.scalars[1].i);
  for (std::size_t i = 0; i < c.operands[0].values.size(); ++i) {
    Moment x{c.operands[0].values[i], c.operands[2].values[i], c.operands[3].values[i]};
    const double gradient = c.operands[1].values[i] + (coupled ? a.decay * x.parameter : 0);
    if (!coupled) x.parameter *= 1 - rate * a.decay;
    x = adaptive_step(x, gradient, a, rate, step);
    c.outputs[0].values[i] = x.parameter;
    c.outputs[1].values[i] = x.m;
    c.outputs[2].values[i] = x.v;
  }
}

}  // namespace

void sgd(ReferenceCall& c) {
  for (std::size_t i = 0; i < c.operands[0].values.size(); ++i)
    c.outputs[0].values[i] = c.operands[0].values[i] - c.scalars[0].f * c.operands[1].values[i];
}

void momentum(ReferenceCall& c) {
  const double momentum = std::get<Momentum>(c.attributes).momentum;
  for (std::size_t i = 0; i < c.operands[0].values.size(); ++i) {
    const double velocity = momentum * c.operands[2].values[i] + c.operands[1].values[i];
    c.outputs[0].values[i] = c.operands[0].values[i] - c.scalars[0].f * velocity;
    c.outputs[1].values[i] = velocity;
  }
}

void adam(ReferenceCall& c) { adaptive(c, true); }
void adamw(ReferenceCall& c) { adaptive(c, false); }

}  // namespace reference

namespace cases {
namespace {

std::vector<Case> steps(std::size_t operands, const Attributes& attributes, const std::vector<Scalar>& scalars) {
  std::vector<Case> out;
  for (const Shape& shape : usual_shapes()) {
    out.push_back(drawn(std::vector<Shape>(operands, shape), attributes));
    out.back().scalars = scalars;
    out.back().low = 0;  // adam's v is a sum of squares
    out.back().tolerance = 2e-5;
  }
  return out;
}

/// Gradients of both signs and zero, with a state as after some steps; `states` operands follow the gradient.
Case signs(std::size_t states, const Attributes& attributes, const std::vector<Scalar>& scalars) {
  std::vector<std::vector<double>> values = {{1, -1, 0.5, 2, -3}, {0.25, -0.5, 0, -1, 1}};
  if (states > 0) values.push_back({0.1, 0.2, 0, -0.3, 0});
  if (states > 1) values.push_back({0.01, 0.2, 0, 0.3, 1});
  Case c = given("signs " + to_string(attributes), std::move(values));
  c.attributes = attributes;
  c.scalars = scalars;
  return c;
}

const std::vector<Scalar> rate = {Scalar{.f = 0.1}};
const std::vector<Scalar> first_step = {Scalar{.f = 0.001}, Scalar{.i = 1}};
const std::vector<Scalar> late_step = {Scalar{.f = 0.01}, Scalar{.i = 1000}};

std::vector<Case> adaptive() {
  std::vector<Case> out = steps(4, Moments{}, first_step);
  for (const auto& scalars : {first_step, late_step})
    for (const Moments& a : {Moments{}, Moments{.decay = 0.01}, Moments{.beta1 = 0, .beta2 = 0.5, .epsilon = 1e-3}})
      out.push_back(signs(2, a, scalars)), out.back().name += " step " + std::to_string(scalars[1].i);
  return out;
}

}  // namespace

std::vector<Case> sgd() {
  std::vector<Case> out = steps(2, NoAttributes{}, rate);
  out.push_back(signs(0, NoAttributes{}, rate));
  return out;
}

std::vector<Case> momentum() {
  std::vector<Case> out = steps(3, Momentum{}, rate);
  for (const double momentum : {0.0, 0.5}) out.push_back(signs(1, Momentum{momentum}, rate));
  return out;
}

std::vector<Case> adam() { return adaptive(); }
std::vector<Case> adamw() { return adaptive(); }

}  // namespace cases
}  // namespace tenon
