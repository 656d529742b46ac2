#include <cmath>

#include "case_list.h"
#include "host_walk.h"
#include "tenon/gradient_helpers.h"
#include "tenon/op_table.h"

namespace tenon {
namespace gradient {
namespace {

Value sum_of_rows(Value x) { return reduce_sum(x, Axes{Shape{-1}, true}); }
Value mean_of_rows(Value x) { return reduce_mean(x, Axes{Shape{-1}, true}); }

Value deviation(Value variance, const Attributes& attributes) {
  Recorder& recorder = *variance.recorder;
  const double epsilon = std::get<Epsilon>(attributes).epsilon;
  return sqrt(add(variance, fill(recorder, Constant{recorder.shape(variance), epsilon})));
}

/// A vector of one number for each channel, as it stands beside x (batch, channels, ...).
Value beside(Value vector, Value x) {
  Shape shape = x.recorder->shape(x);
  const Extent channels = shape.rank > 1 ? shape[1] : 1;
  for (int axis = 0; axis < shape.rank; ++axis) shape[axis] = axis == 1 ? channels : 1;
  return reshape_to(vector, shape);
}

}  // namespace

void softmax(GradientCall& c) {
  c.gradient[0] = mul(c.output, sub(c.upstream, sum_of_rows(mul(c.upstream, c.output))));
}

void log_softmax(GradientCall& c) { c.gradient[0] = sub(c.upstream, mul(exp(c.output), sum_of_rows(c.upstream))); }

/// What is blocked receives nothing, whatever comes from above.
void hard_masked_softmax(GradientCall& c) {
  const Value upstream = where(c.operands[1], c.upstream, zeros_like(c.upstream));
  if (c.wanted[0]) c.gradient[0] = mul(c.output, sub(upstream, sum_of_rows(mul(upstream, c.output))));
}

/// Ba, Kiros and Hinton 2016: with n the normalised x and g the gradient for it,
/// (g - mean g - n * mean(g * n)) / deviation.
void layer_norm(GradientCall& c) {
  const Value x = c.operands[0], centred = sub(x, mean_of_rows(x));
  const Value spread = deviation(mean_of_rows(mul(centred, centred)), c.attributes);
  const Value normal = div(centred, spread);
  const Shape features = x.recorder->shape(c.operands[1]);
  if (c.wanted[0]) {
    const Value g = mul(c.upstream, c.operands[1]);
    c.gradient[0] = div(sub(sub(g, mean_of_rows(g)), mul(normal, mean_of_rows(mul(g, normal)))), spread);
  }
  if (c.wanted[1]) c.gradient[1] = sum_to(mul(c.upstream, normal), features);
  if (c.wanted[2]) c.gradient[2] = sum_to(c.upstream, features);
}

/// Mean and variance are operands like any other: where a program computes them from x, x's gradient comes through them
/// as well.
void batch_norm(GradientCall& c) {
  const Value x = c.operands[0], spread = beside(deviation(c.operands[2], c.attributes), x);
  const Value normal = div(sub(x, beside(c.operands[1], x)), spread);
  const Value g = div(mul(c.upstream, beside(c.operands[3], x)), spread);
  c.gradient[0] = g;
  if (c.wanted[1]) c.gradient[1] = neg(sum_of_channels(g));
  if (c.wanted[2]) c.gradient[2] = scale(sum_of_channels(div(mul(g, normal), spread)), Factor{-0.5});
  if (c.wanted[3]) c.gradient[3] = sum_of_channels(mul(c.upstream, normal));
  if (c.wanted[4]) c.gradient[4] = sum_of_channels(c.upstream);
}

}  // namespace gradient

namespace reference {
namespace {

/// Calls row(x, out) with each row of the operand and of the result.
template <class Row>
void for_each_row(ReferenceCall& c, Row row) {
  const std::size_t n = last_extent(c.operands[0].shape);
  for (std::size_t start = 0; start < c.operands[0].values.size(); start += n)
    row(std::span(c.operands[0].values).subspan(start, n), std::span(c.outputs[0].values).subspan(start, n));
}

/// One row of a masked softmax.
void masked_row(std::span<const double> x, std::span<const double> mask, std::span<double> out) {
  double greatest = -infinity, sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i)
    if (mask[i] != 0 && (std::isnan(x[i]) || x[i] > greatest)) greatest = x[i];
  for (std::size_t i = 0; i < x.size(); ++i) sum += out[i] = mask[i] != 0 ? std::exp(x[i] - greatest) : 0;
  for (double& y : out) y = y == 0 ? 0 : y / sum;
}

double mean_of(std::span<const double> row) {
  double sum = 0;
  for (const double x : row) sum += x;
  return sum / static_cast<double>(row.size());
}

double variance_of(std::span<const double> row, double mean) {
  double sum = 0;
  for (const double x : row) sum += (x - mean) * (x - mean);
  return sum / static_cast<double>(row.size());
}

double greatest_of(std::span<const double> row) {
  double greatest = -infinity;
  for (const double x : row) greatest = std::isnan(x) || x > greatest ? x : greatest;
  return greatest;
}

double sum_of_exp(std::span<const double> row, double greatest) {
  double sum = 0;
  for (const double x : row) sum += std::exp(x - greatest);
  return sum;
}

}  // namespace

void softmax(ReferenceCall& c) {
  for_each_row(c, [](std::span<const double> x, std::span<double> out) {
    const double m = greatest_of(x), sum = sum_of_exp(x, m);
    for (std::size_t i = 0; i < x.size(); ++i) out[i] = std::exp(x[i] - m) / sum;
  });
}

void log_softmax(ReferenceCall& c) {
  for_each_row(c, [](std::span<const double> x, std::span<double> out) {
    const double m = greatest_of(x), log_of_sum = std::log(sum_of_exp(x, m));
    for (std::size_t i = 0; i < x.size(); ++i) out[i] = (x[i] - m) - log_of_sum;
  });
}

void hard_masked_softmax(ReferenceCall& c) {
  const std::size_t n = last_extent(c.operands[0].shape);
  for (std::size_t start = 0; start < c.operands[0].values.size(); start += n)
    masked_row(std::span(c.operands[0].values).subspan(start, n), std::span(c.operands[1].values).subspan(start, n),
               std::span(c.outputs[0].values).subspan(start, n));
}

void layer_norm(ReferenceCall& c) {
  const std::vector<double>&weight = c.operands[1].values, &bias = c.operands[2].values;
  for_each_row(c, [&](std::span<const double> x, std::span<double> out) {
    const double mean = mean_of(x);
    const double deviation = std::sqrt(variance_of(x, mean) + std::get<Epsilon>(c.attributes).epsilon);
    for (std::size_t i = 0; i < x.size(); ++i) out[i] = (x[i] - mean) / deviation * weight[i] + bias[i];
  });
}

void batch_norm(ReferenceCall& c) {
  const double epsilon = std::get<Epsilon>(c.attributes).epsilon;
  for_each_index(c.operands[0].shape, [&](const Index& index, std::size_t i) {
    const auto of_channel = [&](std::size_t operand) {
      return c.operands[operand].values[static_cast<std::size_t>(index[1])];
    };
    const double normal = (c.operands[0].values[i] - of_channel(1)) / std::sqrt(of_channel(2) + epsilon);
    c.outputs[0].values[i] = normal * of_channel(3) + of_channel(4);
  });
}

}  // namespace reference

namespace cases {
namespace {

/// `allowed` of every four elements take part; of eight rows of a masked case one has none.
Case masked(const Shape& shape, std::size_t allowed) {
  Case c = drawn({shape, shape});
  c.name += " allowed " + std::to_string(allowed) + " of 4";
  c.values = {{}, std::vector<double>(count(shape))};
  for (std::size_t i = 0; i < c.values[1].size(); ++i)
    c.values[1][i] = i * 7 % 4 < allowed && i / last_extent(shape) % 8 != 1 ? 1 : 0;
  return c;
}

Case normalised(std::vector<Shape> operands, const Epsilon& epsilon) {
  Case c = drawn(std::move(operands), epsilon);
  c.tolerance = 2e-5;
  return c;
}

Case given_with(std::string name, std::vector<std::vector<double>> values, const Attributes& attributes) {
  Case c = given(std::move(name), std::move(values));
  c.attributes = attributes;
  return c;
}

std::vector<Case> rows() {
  std::vector<Case> out;
  for (const Shape& shape : {Shape{1}, Shape{5}, Shape{3, 7}, Shape{2, 3, 33}, Shape{4, 1}, Shape{0, 5}, Shape{3, 0},
                             Shape{2, 4099}, Shape{1, 1, 2, 1, 2, 1, 2, 3}})
    out.push_back(drawn({shape}));
  out.push_back({.name = "steep", .operands = {Shape{9, 10}}, .low = -100, .high = 100});
  out.push_back(given("blocked", {{-infinity, 0, 0, -infinity}}));
  out.push_back(given("all blocked", {{-infinity, -infinity}}));
  out.push_back(given("infinite", {{infinity, 0}}));
  out.push_back(given("NaN", {{0, not_a_number, 1}}));
  return out;
}

}  // namespace

std::vector<Case> softmax() { return rows(); }
std::vector<Case> log_softmax() { return rows(); }

std::vector<Case> hard_masked_softmax() {
  std::vector<Case> out;
  for (const Shape& shape :
       {Shape{1}, Shape{5}, Shape{3, 7}, Shape{2, 3, 33}, Shape{4, 1}, Shape{0, 5}, Shape{3, 0}, Shape{2, 4099}})
    for (const std::size_t allowed : {0u, 1u, 3u}) out.push_back(masked(shape, allowed));
  out.push_back(given("blocked values do not matter", {{1, not_a_number, infinity, -infinity, 2}, {1, 0, 0, 0, 1}}));
  out.push_back(given("a mask of other numbers", {{1, 2, 3, 4}, {-0.0, -2, not_a_number, 0.5}}));
  out.push_back(given("steep", {{-1000, 1000, 5000, 999}, {1, 1, 0, 1}}));
  out.push_back(given("allowed NaN", {{1, not_a_number, 3}, {1, 1, 0}}));
  out.push_back(given("allowed infinity", {{1, infinity, 3}, {1, 1, 0}}));
  return out;
}

std::vector<Case> layer_norm() {
  std::vector<Case> out;
  for (const Shape& shape :
       {Shape{1}, Shape{5}, Shape{3, 7}, Shape{2, 3, 33}, Shape{4, 1}, Shape{0, 5}, Shape{3, 0}, Shape{2, 4099}}) {
    const Shape features{shape[-1]};
    out.push_back(normalised({shape, features, features}, Epsilon{}));
  }
  out.push_back(normalised({Shape{3, 7}, Shape{7}, Shape{7}}, Epsilon{0.5}));
  out.push_back(given_with("constant", {{3, 3, 3}, {1, 2, 3}, {4, 5, 6}}, Epsilon{}));
  out.push_back(given_with("NaN", {{3, not_a_number, 3}, {1, 2, 3}, {4, 5, 6}}, Epsilon{}));
  return out;
}

std::vector<Case> batch_norm() {
  std::vector<Case> out;
  for (const Shape& shape : {Shape{1, 1}, Shape{3, 7}, Shape{2, 3, 33}, Shape{2, 3, 4, 5}, Shape{0, 5}, Shape{3, 0},
                             Shape{2, 3, 0}, Shape{2, 1, 4099}}) {
    const Shape channels{shape[1]};
    out.push_back(normalised({shape, channels, channels, channels, channels}, Epsilon{}));
    out.back().low = 0.25;  // variances
  }
  const Shape three{3};
  out.push_back(normalised({Shape{2, 3}, three, three, three, three}, Epsilon{0.5}));
  out.back().low = 0.25;
  Case still = given_with("no variance", {{1, 2, 4}, {1, 1, 1}, {0, 0, 0}, {1, 2, 3}, {4, 5, 6}}, Epsilon{});
  still.operands[0] = Shape{1, 3};
  out.push_back(still);
  return out;
}

}  // namespace cases
}  // namespace tenon
