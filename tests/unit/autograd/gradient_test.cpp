// Every gradient rule against central differences of the operation's reference, over the operation's own cases.
#include <gtest/gtest.h>

#include <cmath>

#include "tenon/autograd.h"
#include "tenon/reference_recorder.h"

namespace tenon {
namespace {

/// The sum of the operation's result, each element weighted differently so that no error cancels.
struct WeightedLoss {
  std::vector<Value> operands;
  Value loss;
};

double weight(std::size_t i) { return std::cos(static_cast<double>(i) + 1); }

WeightedLoss record(ReferenceRecorder& recorder, const OpSpec& row, const Case& c,
                    const std::vector<HostArray>& operands) {
  WeightedLoss out;
  for (std::size_t i = 0; i < operands.size(); ++i) out.operands.push_back(recorder.leaf(operands[i], row.kind(i)));
  const Value y = recorder.record(row.op, out.operands, c.attributes, c.scalars);
  HostArray weights = recorder.array(y);
  for (std::size_t i = 0; i < weights.values.size(); ++i) weights.values[i] = weight(i);
  out.loss = reduce_sum(mul(y, recorder.leaf(std::move(weights))));
  return out;
}

double loss_of(const OpSpec& row, const Case& c, const std::vector<HostArray>& operands) {
  ReferenceRecorder recorder;
  return recorder.values(record(recorder, row, c, operands).loss)[0];
}

double central_difference(const OpSpec& row, const Case& c, std::vector<HostArray> operands, std::size_t operand,
                          std::size_t element) {
  double& x = operands[operand].values[element];
  const double at = x, step = 1e-5;
  x = at + step;
  const double above = loss_of(row, c, operands);
  x = at - step;
  return (above - loss_of(row, c, operands)) / (2 * step);
}

/// Few elements of a large operand, all of a small one.
std::size_t stride(std::size_t elements) { return elements > 64 ? elements / 3 : 1; }

void expect_gradient(const OpSpec& row, const Case& c) {
  ReferenceRecorder recorder;
  const std::vector<HostArray> operands = drawn_operands(c, row);
  const WeightedLoss program = record(recorder, row, c, operands);
  const std::vector<Value> wanted(program.operands.begin(), program.operands.begin() + row.reals.count);
  const auto gradients = differentiate(program.loss, wanted);
  ASSERT_TRUE(gradients) << gradients.error().text;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const std::vector<double>& gradient = recorder.values((*gradients)[i]);
    ASSERT_EQ(recorder.shape((*gradients)[i]), c.operands[i]);
    for (std::size_t k = 0; k < gradient.size(); k += stride(gradient.size())) {
      const double expected = central_difference(row, c, operands, i, k);
      EXPECT_NEAR(gradient[k], expected, 2e-7 * std::max(1.0, std::abs(expected)))
          << row.operand(i) << " element " << k;
    }
  }
}

class Gradient : public testing::TestWithParam<OpSpec> {};

TEST_P(Gradient, EqualsCentralDifferencesInEveryCase) {
  for (const Case& c : columns(GetParam().op).cases()) {
    SCOPED_TRACE(c.name);
    if (c.check_gradient) expect_gradient(GetParam(), c);
  }
}

std::vector<OpSpec> with_a_rule() {
  std::vector<OpSpec> out;
  for (const OpSpec& row : all_ops())
    if (columns(row.op).gradient != nullptr) out.push_back(row);
  return out;
}

std::string op_name(const testing::TestParamInfo<OpSpec>& info) { return std::string(info.param.name); }

INSTANTIATE_TEST_SUITE_P(EveryOperation, Gradient, testing::ValuesIn(with_a_rule()), op_name);

}  // namespace
}  // namespace tenon
