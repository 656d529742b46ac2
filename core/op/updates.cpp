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

void adagrad(ReferenceCall& c) {
  const Adagrad& a = std::get<Adagrad>(c.attributes);
  const double rate = c.scalars[0].f / (1 + static_cast<double>(c.scalars[1].i - 1) * a.rate_decay);
  for (std::size_t i = 0; i < c.operands[0].values.size(); ++i) {
    const double parameter = c.operands[0].values[i], gradient = c.operands[1].values[i] + a.decay * parameter;
    const double sum = c.operands[2].values[i] + gradient * gradient;
    c.outputs[0].values[i] = parameter - rate * gradient / (std::sqrt(sum) + a.epsilon);
    c.outputs[1].values[i] = sum;
  }
}

void rmsprop(ReferenceCall& c) {
  const Rmsprop& a = std::get<Rmsprop>(c.attributes);
  for (std::size_t i = 0; i < c.operands[0].values.size(); ++i) {
    const double parameter = c.operands[0].values[i], gradient = c.operands[1].values[i] + a.decay * parameter;
    const double square = a.alpha * c.operands[2].values[i] + (1 - a.alpha) * gradient * gradient;
    c.outputs[0].values[i] = parameter - c.scalars[0].f * gradient / (std::sqrt(square) + a.epsilon);
    c.outputs[1].values[i] = square;
  }
}

void adadelta(ReferenceCall& c) {
  const Adadelta& a = std::get<Adadelta>(c.attributes);
  for (std::size_t i = 0; i < c.operands[0].values.size(); ++i) {
    const double parameter = c.operands[0].values[i], gradient = c.operands[1].values[i] + a.decay * parameter;
    const double square = a.rho * c.operands[2].values[i] + (1 - a.rho) * gradient * gradient;
    const double delta = std::sqrt((c.operands[3].values[i] + a.epsilon) / (square + a.epsilon)) * gradient;
    c.outputs[0].values[i] = parameter - c.scalars[0].f * delta;
    c.outputs[1].values[i] = square;
    c.outputs[2].values[i] = a.rho * c.operands[3].values[i] + (1 - a.rho) * delta * delta;
  }
}

}  // namespace reference

namespace cases {
namespace {

std::vector<Case> steps(std::size_t operands, const Attributes& attributes, const std::vector<Scalar>& scalars) {
  std::vector<Case> out;
  for (const Shape& shape : usual_shapes()) {
    out.push_back(drawn(std::vector<Shape>(operands, shape), attributes));
    out.back().scalars = scalars;
    out.back().low = 0;  // states are sums of squares
    out.back().tolerance = 2e-5;
  }
  return out;
}

// A state of five elements as after some steps.
const std::vector<double> moment = {0.1, 0.2, 0, -0.3, 0}, squares = {0.01, 0.2, 0, 0.3, 1};

/// Gradients of both signs and zero; the states follow the gradient.
Case signs(const std::vector<std::vector<double>>& states, const Attributes& attributes,
           const std::vector<Scalar>& scalars) {
  std::vector<std::vector<double>> values = {{1, -1, 0.5, 2, -3}, {0.25, -0.5, 0, -1, 1}};
  values.insert(values.end(), states.begin(), states.end());
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
      out.push_back(signs({moment, squares}, a, scalars)), out.back().name += " step " + std::to_string(scalars[1].i);
  return out;
}

}  // namespace

std::vector<Case> sgd() {
  std::vector<Case> out = steps(2, NoAttributes{}, rate);
  out.push_back(signs({}, NoAttributes{}, rate));
  return out;
}

std::vector<Case> momentum() {
  std::vector<Case> out = steps(3, Momentum{}, rate);
  for (const double momentum : {0.0, 0.5}) out.push_back(signs({moment}, Momentum{momentum}, rate));
  return out;
}

std::vector<Case> adam() { return adaptive(); }
std::vector<Case> adamw() { return adaptive(); }

std::vector<Case> adagrad() {
  std::vector<Case> out = steps(3, Adagrad{}, late_step);
  for (const auto& scalars : {first_step, late_step})
    for (const Adagrad& a : {Adagrad{}, Adagrad{.rate_decay = 0.01, .decay = 0.1}, Adagrad{.epsilon = 0.5}})
      out.push_back(signs({squares}, a, scalars)), out.back().name += " step " + std::to_string(scalars[1].i);
  return out;
}

std::vector<Case> rmsprop() {
  std::vector<Case> out = steps(3, Rmsprop{}, rate);
  for (const Rmsprop& a : {Rmsprop{}, Rmsprop{.alpha = 0.5, .decay = 0.1}, Rmsprop{.alpha = 0, .epsilon = 0.5}})
    out.push_back(signs({squares}, a, rate));
  return out;
}

std::vector<Case> adadelta() {
  std::vector<Case> out = steps(4, Adadelta{}, rate);
  const std::vector<double> deltas = {0.3, 0, 0, 0.02, 2};
  for (const Adadelta& a : {Adadelta{}, Adadelta{.rho = 0.5, .decay = 0.1}, Adadelta{.rho = 1, .epsilon = 0.5}})
    out.push_back(signs({squares, deltas}, a, rate));
  return out;
}

}  // namespace cases
}  // namespace tenon
