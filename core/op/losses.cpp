#include <cmath>

#include "case_list.h"
#include "host_walk.h"
#include "tenon/gradient_helpers.h"
#include "tenon/op_table.h"

namespace tenon {
namespace gradient {

void mse_loss(GradientCall& c) {
  const double count = static_cast<double>(elements(c.output.recorder->shape(c.operands[0])));
  const Value slope = mul(scale(sub(c.operands[0], c.operands[1]), Factor{2 / count}), c.upstream);
  c.gradient[0] = slope;
  if (c.wanted[1]) c.gradient[1] = neg(slope);
}

void cross_entropy(GradientCall& c) { c.gradient[0] = cross_entropy_grad(c.operands[0], c.upstream, c.operands[1]); }

}  // namespace gradient

namespace reference {
namespace {

using Row = std::span<const double>;

double log_of_sum_of_exp(Row logits) {
  double greatest = -infinity, sum = 0;
  for (const double x : logits) greatest = std::max(greatest, x);
  for (const double x : logits) sum += std::exp(x - greatest);
  return greatest + std::log(sum);
}

}  // namespace

void mse_loss(ReferenceCall& c) {
  const std::vector<double>&prediction = c.operands[0].values, &target = c.operands[1].values;
  double sum = 0;
  for (std::size_t i = 0; i < prediction.size(); ++i) sum += std::pow(prediction[i] - target[i], 2);
  c.outputs[0].values[0] = sum / static_cast<double>(prediction.size());
}

void cross_entropy(ReferenceCall& c) {
  const HostArray &logits = c.operands[0], &labels = c.operands[1];
  const std::size_t classes = last_extent(logits.shape), rows = labels.values.size();
  double sum = 0;
  for (std::size_t r = 0; r < rows; ++r) {
    const Row row = Row(logits.values).subspan(r * classes, classes);
    sum += log_of_sum_of_exp(row) - row[static_cast<std::size_t>(labels.values[r])];
  }
  c.outputs[0].values[0] = sum / static_cast<double>(rows);
}

void cross_entropy_grad(ReferenceCall& c) {
  const HostArray &logits = c.operands[0], &labels = c.operands[2];
  const std::size_t classes = last_extent(logits.shape), rows = labels.values.size();
  const double share = c.operands[1].values[0] / static_cast<double>(rows);
  for (std::size_t r = 0; r < rows; ++r) {
    const Row row = Row(logits.values).subspan(r * classes, classes);
    const double whole = log_of_sum_of_exp(row);
    for (std::size_t k = 0; k < classes; ++k) {
      const double one_hot = static_cast<double>(k) == labels.values[r] ? 1 : 0;
      c.outputs[0].values[r * classes + k] = (std::exp(row[k] - whole) - one_hot) * share;
    }
  }
}

}  // namespace reference

namespace cases {
namespace {

/// Logits and their labels; `scalars` further scalar operands stand between them.
Case labelled(const Shape& logits, std::size_t scalars, double reach = 2) {
  std::vector<Shape> operands(scalars + 1, Shape{});
  operands.front() = logits;
  operands.push_back(logits.first(logits.rank - 1));
  Case c = drawn(operands);
  c.low = -reach, c.high = reach;
  c.classes = static_cast<std::uint32_t>(logits[-1]);
  c.tolerance = 2e-5;
  if (reach > 2) c.name += " steep";
  c.check_gradient = elements(logits) > 0;
  return c;
}

std::vector<Case> labelled_cases(std::size_t scalars) {
  return {labelled({5, 3}, scalars),    labelled(Shape{4}, scalars),     labelled({2, 3, 7}, scalars),
          labelled({0, 3}, scalars),    labelled({3, 1}, scalars),       labelled({3, 4099}, scalars),
          labelled({4099, 3}, scalars), labelled({9, 10}, scalars, 100), labelled({33, 17}, scalars)};
}

}  // namespace

std::vector<Case> mse_loss() {
  std::vector<Case> out = usual_cases(2, -2, 2);
  for (Case& c : out) c.tolerance = 2e-5, c.check_gradient = elements(c.operands[0]) > 0;
  out.push_back(given("specials", {{infinity, 1}, {1, 1}}));
  out.push_back(given("NaN", {{not_a_number, 1}, {1, 1}}));
  return out;
}

std::vector<Case> cross_entropy() { return labelled_cases(0); }
std::vector<Case> cross_entropy_grad() { return labelled_cases(1); }

}  // namespace cases
}  // namespace tenon
