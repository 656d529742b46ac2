#include <cmath>

#include "case_list.h"
#include "host_walk.h"
#include "tenon/gradient_helpers.h"
#include "tenon/op_table.h"

namespace tenon {

// Gradients. Operands have one shape here: where they had not, the recorder has put `broadcast` before.

namespace gradient {

void add(GradientCall& c) { c.gradient[0] = c.gradient[1] = c.upstream; }

void sub(GradientCall& c) {
  c.gradient[0] = c.upstream;
  if (c.wanted[1]) c.gradient[1] = neg(c.upstream);
}

void mul(GradientCall& c) {
  if (c.wanted[0]) c.gradient[0] = mul(c.upstream, c.operands[1]);
  if (c.wanted[1]) c.gradient[1] = mul(c.upstream, c.operands[0]);
}

void div(GradientCall& c) {
  if (c.wanted[0]) c.gradient[0] = div(c.upstream, c.operands[1]);
  if (c.wanted[1]) c.gradient[1] = neg(mul(c.upstream, div(c.output, c.operands[1])));
}

void maximum(GradientCall& c) {
  if (c.wanted[0]) c.gradient[0] = maximum_grad(c.operands[0], c.operands[1], c.upstream);
  if (c.wanted[1]) c.gradient[1] = maximum_grad(c.operands[1], c.operands[0], c.upstream);
}

void minimum(GradientCall& c) {
  if (c.wanted[0]) c.gradient[0] = minimum_grad(c.operands[0], c.operands[1], c.upstream);
  if (c.wanted[1]) c.gradient[1] = minimum_grad(c.operands[1], c.operands[0], c.upstream);
}

void scale(GradientCall& c) { c.gradient[0] = scale(c.upstream, std::get<Factor>(c.attributes)); }
void neg(GradientCall& c) { c.gradient[0] = neg(c.upstream); }
void relu(GradientCall& c) { c.gradient[0] = relu_grad(c.operands[0], c.upstream); }
void sigmoid(GradientCall& c) { c.gradient[0] = sigmoid_grad(c.output, c.upstream); }
void tanh(GradientCall& c) { c.gradient[0] = tanh_grad(c.output, c.upstream); }
void exp(GradientCall& c) { c.gradient[0] = mul(c.upstream, c.output); }
void log(GradientCall& c) { c.gradient[0] = div(c.upstream, c.operands[0]); }
void sqrt(GradientCall& c) { c.gradient[0] = sqrt_grad(c.output, c.upstream); }

}  // namespace gradient

namespace reference {
namespace {

double greater(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return a + b;
  if (a == b) return std::signbit(a) ? b : a;  // -0 < +0
  return a > b ? a : b;
}

/// Upstream for the side that won, half of it for either side of a tie.
double share(bool won, bool tied, double upstream) { return won ? upstream : tied ? upstream / 2 : 0; }

}  // namespace

void add(ReferenceCall& c) {
  map_two(c, [](double a, double b) { return a + b; });
}
void sub(ReferenceCall& c) {
  map_two(c, [](double a, double b) { return a - b; });
}
void mul(ReferenceCall& c) {
  map_two(c, [](double a, double b) { return a * b; });
}
void div(ReferenceCall& c) {
  map_two(c, [](double a, double b) { return a / b; });
}
void maximum(ReferenceCall& c) { map_two(c, greater); }
void minimum(ReferenceCall& c) {
  map_two(c, [](double a, double b) { return -greater(-a, -b); });
}
void scale(ReferenceCall& c) {
  map_one(c, [f = std::get<Factor>(c.attributes).factor](double x) { return x * f; });
}
void neg(ReferenceCall& c) {
  map_one(c, [](double x) { return -x; });
}
void relu(ReferenceCall& c) {
  map_one(c, [](double x) { return greater(x, 0); });
}
void sigmoid(ReferenceCall& c) {
  map_one(c, [](double x) { return 1 / (1 + std::exp(-x)); });
}
void tanh(ReferenceCall& c) {
  map_one(c, [](double x) { return std::tanh(x); });
}
void exp(ReferenceCall& c) {
  map_one(c, [](double x) { return std::exp(x); });
}
void log(ReferenceCall& c) {
  map_one(c, [](double x) { return std::log(x); });
}
void sqrt(ReferenceCall& c) {
  map_one(c, [](double x) { return std::sqrt(x); });
}

void maximum_grad(ReferenceCall& c) {
  map_three(c, [](double l, double r, double u) { return share(l > r, l == r, u); });
}
void minimum_grad(ReferenceCall& c) {
  map_three(c, [](double l, double r, double u) { return share(l < r, l == r, u); });
}
void relu_grad(ReferenceCall& c) {
  map_two(c, [](double x, double u) { return x > 0 ? u : 0; });
}
void sigmoid_grad(ReferenceCall& c) {
  map_two(c, [](double y, double u) { return u * (y * (1 - y)); });
}
void tanh_grad(ReferenceCall& c) {
  map_two(c, [](double y, double u) { return u * (1 - y * y); });
}
void sqrt_grad(ReferenceCall& c) {
  map_two(c, [](double y, double u) { return y == 0 ? 0 : u / (2 * y); });
}

}  // namespace reference

namespace cases {
namespace {

using Cases = std::vector<Case>;

Cases unary(double low, double high, std::vector<double> specials) {
  Cases out = usual_cases(1, low, high);
  out.push_back(given("specials", {std::move(specials)}));
  return out;
}

/// Operands of one shape, then pairs that broadcast.
Cases binary(double low, double high, std::vector<double> left, std::vector<double> right) {
  Cases out = usual_cases(2, low, high);
  const std::vector<std::vector<Shape>> pairs = {
      {Shape{3, 1}, Shape{1, 4}}, {Shape{5}, Shape{}}, {Shape{2, 1, 3}, Shape{4, 1}}, {Shape{0}, Shape{1}},
      {Shape{3}, Shape{2, 3}},    {Shape{1}, Shape{}}, {Shape{129, 33}, Shape{33}},   {Shape{2, 3}, Shape{0, 1, 1}}};
  for (const auto& pair : pairs) {
    out.push_back(drawn(pair));
    out.back().low = low, out.back().high = high;
  }
  out.push_back(given("specials", {std::move(left), std::move(right)}));
  return out;
}

Cases arithmetic() {
  return binary(-2, 2, {infinity, infinity, not_a_number, 0.0, -0.0, 1, -1},
                {1, -infinity, 1, -0.0, -0.0, infinity, 0});
}

Cases extremum() {
  return binary(-2, 2, {not_a_number, 1, -0.0, 0.0, infinity, -infinity, 3, not_a_number},
                {1, not_a_number, 0.0, -0.0, 1, 1, 3, not_a_number});
}

Cases extremum_grad() {
  Cases out = usual_cases(3, -2, 2);
  out.push_back(given("ties", {{1, 2, 3, -0.0, infinity}, {1, 3, 2, 0.0, infinity}, {5, 6, 7, 8, 9}}));
  out.push_back(given("NaN", {{not_a_number, 1}, {1, not_a_number}, {5, 6}}));
  return out;
}

/// For the gradients that take y or x, and upstream.
Cases two_for_grad(double low, double high, std::vector<double> first, std::vector<double> upstream) {
  Cases out = usual_cases(2, low, high);
  out.push_back(given("specials", {std::move(first), std::move(upstream)}));
  return out;
}

}  // namespace

Cases add() { return arithmetic(); }
Cases sub() { return arithmetic(); }
Cases mul() { return arithmetic(); }
Cases div() {
  return binary(0.5, 2, {1, -1, 0, infinity, 1, not_a_number, 1, -3}, {0, 0, 0, infinity, infinity, 1, -0.0, 2});
}
Cases maximum() { return extremum(); }
Cases minimum() { return extremum(); }

Cases scale() {
  Cases out;
  for (const double factor : {1.0, -0.1, 0.0, 3.5})
    for (const Shape& shape : usual_shapes()) out.push_back(drawn({shape}, Factor{factor}));
  return out;
}

Cases neg() { return unary(-2, 2, {0.0, -0.0, infinity, -infinity, not_a_number}); }
Cases relu() { return unary(-2, 2, {0.0, -0.0, infinity, -infinity, not_a_number}); }
Cases sigmoid() { return unary(-6, 6, {0, 100, -100, infinity, -infinity, not_a_number}); }
Cases tanh() { return unary(-4, 4, {0.0, -0.0, 1e-6, 100, -100, infinity, -infinity, not_a_number}); }
Cases exp() { return unary(-3, 3, {0, 1000, -1000, infinity, -infinity, not_a_number}); }
Cases log() { return unary(0.1, 4, {1, 0.0, -0.0, -1, infinity, not_a_number}); }
Cases sqrt() { return unary(0.1, 4, {4, 0.0, -1, infinity, not_a_number}); }

Cases maximum_grad() { return extremum_grad(); }
Cases minimum_grad() { return extremum_grad(); }
Cases relu_grad() { return two_for_grad(-2, 2, {0.0, -0.0, 1, -1, infinity, not_a_number}, {1, 2, 3, 4, 5, 6}); }
Cases sigmoid_grad() { return two_for_grad(0, 1, {0, 0.5, 1, not_a_number}, {1, 2, 3, 4}); }
Cases tanh_grad() { return two_for_grad(-1, 1, {-1, 0, 1, not_a_number}, {1, 2, 3, 4}); }
Cases sqrt_grad() { return two_for_grad(0.5, 2, {0, 2, infinity, not_a_number}, {1, 2, 3, 4}); }

}  // namespace cases
}  // namespace tenon
