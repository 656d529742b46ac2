#include <cmath>
#include <numbers>

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
void abs(GradientCall& c) { c.gradient[0] = mul(c.upstream, sign(c.operands[0])); }
void sign(GradientCall&) {}
void clamp(GradientCall& c) { c.gradient[0] = clamp_grad(c.operands[0], c.upstream, std::get<Bounds>(c.attributes)); }
void gelu(GradientCall& c) { c.gradient[0] = gelu_grad(c.operands[0], c.upstream, std::get<GeluForm>(c.attributes)); }
void softplus(GradientCall& c) { c.gradient[0] = mul(c.upstream, sigmoid(c.operands[0])); }
void sin(GradientCall& c) { c.gradient[0] = mul(c.upstream, cos(c.operands[0])); }
void cos(GradientCall& c) { c.gradient[0] = neg(mul(c.upstream, sin(c.operands[0]))); }
void erf(GradientCall& c) { c.gradient[0] = erf_grad(c.operands[0], c.upstream); }
void inv(GradientCall& c) { c.gradient[0] = neg(mul(c.upstream, mul(c.output, c.output))); }

void safe_log(GradientCall& c) {
  const Value x = c.operands[0];
  const double epsilon = std::get<LogEpsilon>(c.attributes).epsilon;
  const Value argument = add(softplus(x), fill(*x.recorder, Constant{x.recorder->shape(x), epsilon}));
  c.gradient[0] = div(mul(c.upstream, sigmoid(x)), argument);
}

void equal(GradientCall&) {}
void less(GradientCall&) {}

void where(GradientCall& c) {
  const Value condition = c.operands[0];
  if (c.wanted[1]) c.gradient[1] = where(condition, c.upstream, zeros_like(c.upstream));
  if (c.wanted[2]) c.gradient[2] = where(condition, zeros_like(c.upstream), c.upstream);
}

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

double clamped(double x, const Bounds& bounds) { return -greater(-greater(x, bounds.low), -bounds.high); }

double softplus_of(double x) { return x > 0 ? x + std::log1p(std::exp(-x)) : std::log1p(std::exp(x)); }

/// The distribution function of the normal distribution.
double normal(double x) { return std::erfc(-x / std::numbers::sqrt2) / 2; }

/// The angle of gelu's approximation, and how fast it grows.
double gelu_angle(double x) { return std::sqrt(2 / std::numbers::pi) * (x + 0.044715 * x * x * x); }
double gelu_angle_slope(double x) { return std::sqrt(2 / std::numbers::pi) * (1 + 3 * 0.044715 * x * x); }

double gelu_of(double x, bool by_tanh) {
  if (x == -infinity) return -0.0;
  return by_tanh ? x * (1 + std::tanh(gelu_angle(x))) / 2 : x * normal(x);
}

double gelu_slope(double x, bool by_tanh) {
  if (std::isinf(x)) return x > 0 ? 1 : 0;
  if (!by_tanh) return normal(x) + x * std::exp(-x * x / 2) / std::sqrt(2 * std::numbers::pi);
  const double t = std::tanh(gelu_angle(x)), bend = t * t == 1 ? 0 : (1 - t * t) * gelu_angle_slope(x);
  return (1 + t + x * bend) / 2;
}

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

void abs(ReferenceCall& c) {
  map_one(c, [](double x) { return std::abs(x); });
}
void sign(ReferenceCall& c) {
  map_one(c, [](double x) { return std::isnan(x) ? x : static_cast<double>((x > 0) - (x < 0)); });
}
void clamp(ReferenceCall& c) {
  map_one(c, [bounds = std::get<Bounds>(c.attributes)](double x) { return clamped(x, bounds); });
}
void gelu(ReferenceCall& c) {
  map_one(c, [form = std::get<GeluForm>(c.attributes)](double x) { return gelu_of(x, form.tanh); });
}
void softplus(ReferenceCall& c) { map_one(c, softplus_of); }
void sin(ReferenceCall& c) {
  map_one(c, [](double x) { return std::sin(x); });
}
void cos(ReferenceCall& c) {
  map_one(c, [](double x) { return std::cos(x); });
}
void erf(ReferenceCall& c) {
  map_one(c, [](double x) { return std::erf(x); });
}
void inv(ReferenceCall& c) {
  map_one(c, [](double x) { return 1 / x; });
}
void safe_log(ReferenceCall& c) {
  map_one(c, [a = std::get<LogEpsilon>(c.attributes)](double x) { return std::log(softplus_of(x) + a.epsilon); });
}
void equal(ReferenceCall& c) {
  map_two(c, [](double a, double b) { return a == b ? 1.0 : 0.0; });
}
void less(ReferenceCall& c) {
  map_two(c, [](double a, double b) { return a < b ? 1.0 : 0.0; });
}
void where(ReferenceCall& c) {
  map_three(c, [](double condition, double a, double b) { return condition != 0 ? a : b; });
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
void clamp_grad(ReferenceCall& c) {
  map_two(c, [b = std::get<Bounds>(c.attributes)](double x, double u) { return b.low <= x && x <= b.high ? u : 0; });
}
void gelu_grad(ReferenceCall& c) {
  map_two(c, [form = std::get<GeluForm>(c.attributes)](double x, double u) { return u * gelu_slope(x, form.tanh); });
}
void erf_grad(ReferenceCall& c) {
  map_two(c, [](double x, double u) { return u * (std::numbers::inv_sqrtpi * 2 * std::exp(-x * x)); });
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

/// The same cases with these attributes.
Cases with(Cases cases, const Attributes& attributes) {
  for (Case& c : cases) c.attributes = attributes, c.name += " " + to_string(attributes);
  return cases;
}

void append(Cases& cases, const Cases& more) { cases.insert(cases.end(), more.begin(), more.end()); }

/// 0 and 1 in turn as the condition, over operands that broadcast.
Case chosen(const Shape& condition, const Shape& left, const Shape& right) {
  Case c = drawn({condition, left, right});
  c.values.emplace_back(count(condition));
  for (std::size_t i = 0; i < c.values[0].size(); i += 2) c.values[0][i] = 1;
  return c;
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

Cases abs() { return unary(-2, 2, {0.0, -0.0, infinity, -infinity, not_a_number}); }
Cases sign() { return unary(-2, 2, {0.0, -0.0, 1e-30, -1e-30, infinity, -infinity, not_a_number}); }

Cases clamp() {
  const std::vector<double> specials = {0.0, -0.0, -0.5, 1, infinity, -infinity, not_a_number};
  Cases out = with(unary(-2, 2, specials), Bounds{-0.5, 1});
  append(out, with(unary(-2, 2, specials), Bounds{}));
  append(out, with({given("specials", {specials})}, Bounds{.low = 0}));
  append(out, with({given("specials", {specials})}, Bounds{.low = 1, .high = -1}));
  return out;
}

Cases gelu() {
  Cases out;
  for (const bool by_tanh : {false, true})
    append(out,
           with(unary(-6, 6, {0.0, -0.0, 1e-30, -13, 13, -100, 100, 1e30, -1e30, infinity, -infinity, not_a_number}),
                GeluForm{by_tanh}));
  return out;
}

Cases softplus() { return unary(-6, 6, {0, 100, -100, infinity, -infinity, not_a_number}); }
Cases sin() { return unary(-6, 6, {0.0, -0.0, 1e-30, 100, -1e6, 1e30, infinity, -infinity, not_a_number}); }
Cases cos() { return unary(-6, 6, {0.0, -0.0, 1e-30, 100, -1e6, 1e30, infinity, -infinity, not_a_number}); }
Cases erf() { return unary(-3, 3, {0.0, -0.0, 1e-30, 1, -1, 10, -10, infinity, -infinity, not_a_number}); }
Cases inv() { return unary(0.5, 2, {0.0, -0.0, -3, infinity, -infinity, not_a_number}); }

Cases safe_log() {
  Cases out = unary(-6, 6, {0, 100, -100, infinity, -infinity, not_a_number});
  for (Case& c : out) c.attributes = LogEpsilon{};
  append(out, with(unary(-3, 3, {0, 50, -50}), LogEpsilon{0.5}));
  append(out, with({given("specials", {{-infinity, 1}})}, LogEpsilon{0}));
  return out;
}

Cases equal() {
  Cases out = extremum();
  out.push_back(given("some equal", {{1, 2, 3, 2, 1}, {1, 2, 2, 2, 3}}));
  return out;
}
Cases less() { return extremum(); }

Cases where() {
  Cases out;
  for (const Shape& shape : usual_shapes()) out.push_back(chosen(shape, shape, shape));
  out.push_back(chosen(Shape{3, 1}, Shape{1, 4}, Shape{}));
  out.push_back(chosen(Shape{}, Shape{5}, Shape{2, 1}));
  out.push_back(chosen(Shape{2, 1, 3}, Shape{4, 1}, Shape{2, 4, 3}));
  out.push_back(chosen(Shape{0}, Shape{1}, Shape{}));
  out.push_back(chosen(Shape{33}, Shape{129, 33}, Shape{129, 1}));
  out.push_back(given("specials", {{0.0, -0.0, not_a_number, -2, infinity, 1, 0},
                                   {1, 2, 3, 4, 5, not_a_number, not_a_number},
                                   {-1, -2, -3, -4, -5, -6, -0.0}}));
  return out;
}

Cases maximum_grad() { return extremum_grad(); }
Cases minimum_grad() { return extremum_grad(); }
Cases relu_grad() { return two_for_grad(-2, 2, {0.0, -0.0, 1, -1, infinity, not_a_number}, {1, 2, 3, 4, 5, 6}); }
Cases sigmoid_grad() { return two_for_grad(0, 1, {0, 0.5, 1, not_a_number}, {1, 2, 3, 4}); }
Cases tanh_grad() { return two_for_grad(-1, 1, {-1, 0, 1, not_a_number}, {1, 2, 3, 4}); }
Cases sqrt_grad() { return two_for_grad(0.5, 2, {0, 2, infinity, not_a_number}, {1, 2, 3, 4}); }
Cases clamp_grad() {
  const Cases usual = two_for_grad(-2, 2, {-0.5, 1, -1, 2, infinity, not_a_number}, {1, 2, 3, 4, 5, 6});
  Cases out = with(usual, Bounds{-0.5, 1});
  append(out, with(usual, Bounds{}));
  return out;
}
Cases gelu_grad() {
  const std::vector<double> specials = {0, -13, 13, -100, 100, 1e30, -1e30, infinity, -infinity, not_a_number};
  const Cases usual = two_for_grad(-6, 6, specials, std::vector<double>(specials.size(), 2));
  Cases out = with(usual, GeluForm{});
  append(out, with(usual, GeluForm{true}));
  return out;
}
Cases erf_grad() { return two_for_grad(-3, 3, {0, 1, -10, infinity, not_a_number}, {1, 2, 3, 4, 5}); }

}  // namespace cases
}  // namespace tenon
