#include <cmath>

#include "case_list.h"
#include "host_walk.h"
#include "tenon/gradient_helpers.h"
#include "tenon/op_table.h"

namespace tenon {
namespace gradient {
namespace {

Value sum_of_rows(Value x) { return reduce_sum(x, Axes{Shape{-1}, true}); }

}  // namespace

void softmax(GradientCall& c) {
  c.gradient[0] = mul(c.output, sub(c.upstream, sum_of_rows(mul(c.upstream, c.output))));
}

void log_softmax(GradientCall& c) { c.gradient[0] = sub(c.upstream, mul(exp(c.output), sum_of_rows(c.upstream))); }

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

}  // namespace reference

namespace cases {
namespace {

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

}  // namespace cases
}  // namespace tenon
