// The references against values known from elsewhere, and every case against its own operation.
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "arrays.h"

namespace tenon {
namespace {

std::vector<HostArray> run(Op op, std::vector<HostArray> operands, const Attributes& attributes,
                           std::vector<Scalar> scalars) {
  ReferenceRecorder r;
  std::vector<Value> values;
  for (std::size_t i = 0; i < operands.size(); ++i) values.push_back(r.leaf(std::move(operands[i]), spec(op).kind(i)));
  const Value first = r.record(op, values, attributes, scalars);
  EXPECT_TRUE(r.status()) << r.status().error().text;
  std::vector<HostArray> out;
  for (std::uint32_t i = 0; i < spec(op).output_count(); ++i) out.push_back(r.array(Recorder::output(first, i)));
  return out;
}

Doubles result_of(Op op, std::vector<HostArray> operands, const Attributes& attributes,
                  std::vector<Scalar> scalars = {}) {
  return run(op, std::move(operands), attributes, std::move(scalars))[0].values;
}
Doubles result_of(Op op, std::vector<HostArray> operands) {
  return result_of(op, std::move(operands), spec(op).defaults);
}

TEST(Case, RunsAndHasANameOfItsOwn) {
  for (const OpSpec& row : all_ops()) {
    std::set<std::string> names;
    for (const Case& c : columns(row.op).cases()) {
      SCOPED_TRACE(std::string(row.name) + " " + c.name);
      EXPECT_FALSE(c.name.empty());
      EXPECT_TRUE(names.insert(c.name).second) << "named twice";
      EXPECT_EQ(c.scalars.size(), row.scalars.count);
      for (const HostArray& out : run(row.op, drawn_operands(c, row), c.attributes, c.scalars))
        EXPECT_EQ(std::ranges::count(out.values, -12345), 0) << "left unwritten";
    }
  }
}

TEST(Case, EveryOperationHasSome) {
  for (const OpSpec& row : all_ops()) EXPECT_FALSE(columns(row.op).cases().empty()) << row.name;
}

TEST(Columns, OnlyPlainOperationsHaveAGradient) {
  for (const OpSpec& row : all_ops())
    EXPECT_EQ(columns(row.op).gradient != nullptr, row.role == Role::plain) << row.name;
}

TEST(Reference, ExtremaPropagateNaNAndOrderZeros) {
  const Doubles most = result_of(Op::maximum, {vector_of({nan, 1, -0.0, 0.0}), vector_of({1, nan, 0.0, -0.0})});
  const Doubles least = result_of(Op::minimum, {vector_of({nan, 1, -0.0, 0.0}), vector_of({1, nan, 0.0, -0.0})});
  EXPECT_TRUE(std::isnan(most[0]) && std::isnan(most[1]) && std::isnan(least[0]) && std::isnan(least[1]));
  EXPECT_FALSE(std::signbit(most[2]) || std::signbit(most[3]));
  EXPECT_TRUE(std::signbit(least[2]) && std::signbit(least[3]));
  EXPECT_FALSE(std::signbit(result_of(Op::relu, {vector_of({-0.0})})[0]));
  EXPECT_TRUE(std::isnan(result_of(Op::relu, {vector_of({nan})})[0]));
}

TEST(Reference, MultipliesMatrices) {
  expect_near(result_of(Op::matmul, {{{2, 3}, {1, 2, 3, 4, 5, 6}}, {{3, 2}, {1, 0, 0, 1, 1, 1}}}), {4, 5, 10, 11});
  expect_near(result_of(Op::matmul, {{{2, 1, 2}, {1, 2, 3, 4}}, {{2, 1}, {10, 1}}}), {12, 34});
  expect_near(result_of(Op::linear, {{{2, 2}, {1, 2, 3, 4}}, {{3, 2}, {1, 0, 0, 1, 1, 1}}, vector_of({10, 20, 30})}),
              {11, 22, 33, 13, 24, 37});
  expect_near(result_of(Op::matmul, {{{2, 0}, {}}, {{0, 1}, {}}}), {0, 0});
}

TEST(Reference, ReducesAlongAxes) {
  const HostArray x{{2, 3}, {1, 2, 3, 4, 5, 9}};
  expect_near(result_of(Op::reduce_sum, {x}, Axes{Shape{0}}), {5, 7, 12});
  expect_near(result_of(Op::reduce_mean, {x}, Axes{Shape{-1}, true}), {2, 6});
  expect_near(result_of(Op::reduce_max, {x}, Axes{}), {9});
  expect_near(result_of(Op::reduce_sum, {vector_of({})}), {0});
  expect_near(result_of(Op::reduce_mean, {vector_of({})}), {nan});
  expect_near(result_of(Op::reduce_max, {vector_of({3, nan, 4})}), {nan});
}

TEST(Reference, MovesElements) {
  const HostArray x{{2, 3}, {1, 2, 3, 4, 5, 6}};
  expect_near(result_of(Op::permute, {x}, Order{{1, 0}}), {1, 4, 2, 5, 3, 6});
  expect_near(result_of(Op::broadcast, {vector_of({1, 2})}, Target{{2, 2}}), {1, 2, 1, 2});
  expect_near(result_of(Op::reshape, {x}, Target{{3, 2}}), x.values);
}

// Values below: PyTorch 2.x in binary64, or by hand where exact.

TEST(Reference, NormalisesRows) {
  expect_near(result_of(Op::softmax, {vector_of({1, 2, 3})}),
              {0.09003057317038046, 0.24472847105479767, 0.6652409557748219});
  expect_near(result_of(Op::log_softmax, {vector_of({1, 2, 3})}),
              {-2.4076059644443806, -1.4076059644443804, -0.4076059644443804});
  expect_near(result_of(Op::softmax, {vector_of({1000, 1000})}), {0.5, 0.5});
}

TEST(Reference, SmoothsMaximumAndMinimum) {
  const HostArray x{{1, 1, 2}, {1, 3}};  // the window (0, 1, 3)
  expect_near(result_of(Op::smooth_max_pool, {x}, SmoothPool{Shape{3}, Shape{3}, Shape{1}, 2}), {3.0102905694736646});
  expect_near(result_of(Op::smooth_max_pool, {x}, SmoothPool{Shape{3}, Shape{3}, Shape{1}, -2}), {-0.0645544544149253});
}

TEST(Reference, MeasuresLosses) {
  expect_near(result_of(Op::mse_loss, {vector_of({1, 2}), vector_of({0, 4})}), {2.5});
  expect_near(result_of(Op::cross_entropy, {{{2, 3}, {1, 2, 3, 0, 0, 0}}, vector_of({2, 0})}),
              {(0.4076059644443804 + std::log(3.0)) / 2});
  expect_near(result_of(Op::cross_entropy, {{{0, 3}, {}}, vector_of({})}), {nan});
}

TEST(Reference, DrawsTheSpecifiedNumbers) {
  const std::vector<Scalar> key = {Scalar{.u = 0xe220a8397b1dcdafU}};  // key(0, 0); values of rng.json
  expect_near(result_of(Op::rand_uniform, {}, Sized{Shape{4}}, key),
              {0.30117025575600564, 0.6844469008501619, 0.30876562278717756, 0.23146131495013833}, 0);
  expect_near(result_of(Op::init_uniform, {}, Interval{Shape{4}, -0.1, 0.1}, key),
              {-0.039765948848798874, 0.036889380170032376, -0.03824687544256449, -0.053707737009972334}, 1e-17);
  expect_near(result_of(Op::init_normal, {}, Gaussian{.shape = Shape{4}}, key),
              {-0.6202166977925353, 0.17817309474787923, 0.6575791527640226, -0.1121459182319918}, 1e-15);
  expect_near(result_of(Op::bernoulli_mask, {}, Keep{Shape{16}, 0.5}, key),
              {1, 0, 1, 1, 0, 1, 1, 1, 0, 0, 1, 0, 1, 1, 1, 1}, 0);
}

TEST(Reference, AnIntervalIsHalfOpen) {
  const std::vector<Scalar> key = {Scalar{.u = 7}};
  for (const double x : result_of(Op::init_uniform, {}, Interval{Shape{64}, 1, 1 + 0x1p-52}, key)) EXPECT_EQ(x, 1);
}

TEST(Reference, StepsWithMomentum) {
  const auto out =
      run(Op::momentum, {vector_of({1}), vector_of({0.5}), vector_of({2})}, Momentum{0.9}, {Scalar{.f = 0.1}});
  expect_near(out[1].values, {2.3});
  expect_near(out[0].values, {1 - 0.23});
}

TEST(Reference, AdamsFirstStepHasTheLengthOfTheRate) {
  const std::vector<Scalar> scalars = {Scalar{.f = 0.1}, Scalar{.i = 1}};
  const auto out = run(Op::adam, {vector_of({1, 1}), vector_of({0.5, -4}), vector_of({0, 0}), vector_of({0, 0})},
                       Moments{}, scalars);
  expect_near(out[0].values, {0.9, 1.1}, 1e-8);
  expect_near(out[1].values, {0.05, -0.4});
  expect_near(out[2].values, {0.00025, 0.016});
}

TEST(Reference, DecayJoinsAdamsGradientAndShrinksAdamwsParameter) {
  const std::vector<Scalar> scalars = {Scalar{.f = 0.1}, Scalar{.i = 1}};
  const std::vector<HostArray> state = {vector_of({2}), vector_of({0}), vector_of({0}), vector_of({0})};
  expect_near(run(Op::adam, state, Moments{.decay = 0.5}, scalars)[0].values, {1.9}, 1e-8);
  expect_near(run(Op::adamw, state, Moments{.decay = 0.5}, scalars)[0].values, {1.9}, 1e-12);
  expect_near(run(Op::adam, state, Moments{.decay = 0.5}, scalars)[1].values, {0.1});
  expect_near(run(Op::adamw, state, Moments{.decay = 0.5}, scalars)[1].values, {0});
}

}  // namespace
}  // namespace tenon
