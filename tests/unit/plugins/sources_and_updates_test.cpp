#include "harness.h"
#include "tenon/numerics.h"
#include "tenon/random.h"

namespace tenon::testing {
namespace {

template <class T>
class ReferenceSources : public RealTest<T> {};
TYPED_TEST_SUITE(ReferenceSources, Reals);

TYPED_TEST(ReferenceSources, FillWithTheValueRounded) {
  using T = TypeParam;
  Call call = this->call("fill");
  call.template output<T>({2, 2}).integers("shape", {2, 2}).real("value", 0.1);
  ASSERT_EQ(call.run(), TENON_OK);
  EXPECT_TRUE(same_bits(call.template result<T>(), std::vector<T>(4, T(0.1))));
}

TYPED_TEST(ReferenceSources, FillWithZeroByDefault) {
  using T = TypeParam;
  Call call = this->call("fill");
  call.template output<T>({});
  ASSERT_EQ(call.run(), TENON_OK);
  EXPECT_TRUE(same_bits(call.template result<T>(), {0}));
}

TYPED_TEST(ReferenceSources, DrawWhatKeyAndIndexSay) {
  using T = TypeParam;
  constexpr std::uint64_t key = 0xfedcba9876543210;
  constexpr std::size_t count = 20'000;  // enough for several ranges
  const auto draw = [&](const char* op, const auto& set) {
    Call call = RealTest<T>::call(op);
    call.template output<T>({count}).key(key);
    set(call);
    EXPECT_EQ(call.run(), TENON_OK);
    return call.template result<T>();
  };
  std::vector<T> uniform, mask, interval, normal;
  for (std::uint64_t i = 0; i < count; ++i) {
    uniform.push_back(random::uniform<T>(0, 1, key, i));
    mask.push_back(random::bernoulli<T>(0.8, key, i));
    interval.push_back(random::uniform<T>(-0.5, 2, key, i));
    normal.push_back(random::normal<T>(1, 0.25, key, i));
  }
  EXPECT_TRUE(same_bits(draw("rand_uniform", [](Call&) {}), uniform));
  EXPECT_TRUE(same_bits(draw("bernoulli_mask", [](Call& c) { c.real("keep", 0.8); }), mask));
  EXPECT_TRUE(same_bits(draw("init_uniform", [](Call& c) { c.real("low", -0.5).real("high", 2); }), interval));
  EXPECT_TRUE(same_bits(draw("init_normal", [](Call& c) { c.real("mean", 1).real("std", 0.25); }), normal));
}

template <class T>
class ReferenceUpdates : public RealTest<T> {};
TYPED_TEST_SUITE(ReferenceUpdates, Reals);

TYPED_TEST(ReferenceUpdates, SgdStepsAgainstTheGradient) {
  using T = TypeParam;
  for (const bool in_place : {false, true}) {
    Call call = this->call("sgd");
    call.operand<T>({2}, {1, 2}).template operand<T>({2}, {3, T(-0.7)}).template output<T>({2}).scalar(0.1);
    if (in_place) call.in_place(0, 0);
    ASSERT_EQ(call.run(), TENON_OK);
    EXPECT_TRUE(same_bits(call.template result<T>(), {1 - T(0.1) * 3, 2 - T(0.1) * T(-0.7)}));
  }
}

TYPED_TEST(ReferenceUpdates, MomentumAccumulatesVelocity) {
  using T = TypeParam;
  Call call = this->call("momentum");
  call.operand<T>({1}, {1}).template operand<T>({1}, {T(0.3)}).template operand<T>({1}, {T(0.2)});
  call.template output<T>({1}).template output<T>({1}).scalar(0.1).in_place(0, 0).in_place(1, 2);
  ASSERT_EQ(call.run(), TENON_OK);
  const T velocity = T(0.9) * T(0.2) + T(0.3);
  EXPECT_TRUE(same_bits(call.template result<T>(0), {1 - T(0.1) * velocity}));
  EXPECT_TRUE(same_bits(call.template result<T>(1), {velocity}));
}

/// The formulas of PyTorch's single-tensor adam in double.
struct ExpectedMoments {
  double parameter, m, v;
};
ExpectedMoments adam(double p, double g, double m, double v, double rate, int step, double decay) {
  g += decay * p;
  m = 0.9 * m + 0.1 * g;
  v = 0.999 * v + 0.001 * g * g;
  const double denominator = std::sqrt(v) / std::sqrt(1 - std::pow(0.999, step)) + 1e-8;
  return {p - rate / (1 - std::pow(0.9, step)) * m / denominator, m, v};
}

template <class T>
void expect_moments(Call& call, const ExpectedMoments& expected) {
  const T tolerance = 8 * std::numeric_limits<T>::epsilon();
  EXPECT_NEAR(call.result<T>(0)[0], static_cast<T>(expected.parameter), tolerance);
  EXPECT_NEAR(call.result<T>(1)[0], static_cast<T>(expected.m), tolerance);
  EXPECT_NEAR(call.result<T>(2)[0], static_cast<T>(expected.v), tolerance);
}

template <class T>
void run_adam(Call& call, std::int64_t step, bool in_place) {
  call.operand<T>({1}, {T(0.5)}).template operand<T>({1}, {T(0.3)});
  call.operand<T>({1}, {T(0.1)}).template operand<T>({1}, {T(0.02)});
  call.output<T>({1}).template output<T>({1}).template output<T>({1}).scalar(0.01).step(step);
  if (in_place) call.in_place(0, 0).in_place(1, 2).in_place(2, 3);
  ASSERT_EQ(call.run(), TENON_OK) << TestHost::error;
}

TYPED_TEST(ReferenceUpdates, AdamFollowsPyTorch) {
  using T = TypeParam;
  for (const int step : {1, 2, 1000}) {
    Call call = this->call("adam");
    run_adam<T>(call, step, step == 2);
    expect_moments<T>(call, adam(0.5, 0.3, 0.1, 0.02, 0.01, step, 0));
  }
}

TYPED_TEST(ReferenceUpdates, AdamAddsDecayToTheGradientAndAdamwShrinksTheParameter) {
  using T = TypeParam;
  Call coupled = this->call("adam");
  run_adam<T>(coupled.real("decay", 0.1), 3, false);
  expect_moments<T>(coupled, adam(0.5, 0.3, 0.1, 0.02, 0.01, 3, 0.1));
  Call decoupled = this->call("adamw");
  run_adam<T>(decoupled.real("decay", 0.1), 3, true);
  expect_moments<T>(decoupled, adam(0.5 * (1 - 0.01 * 0.1), 0.3, 0.1, 0.02, 0.01, 3, 0));
}

TYPED_TEST(ReferenceUpdates, AdamFollowsTheSequenceOfTheSpecification) {
  using T = TypeParam;
  Call call = this->call("adam");
  run_adam<T>(call, 7, false);
  const T p = T(0.5), g = T(0.3), m = T(0.1), v = T(0.02);
  const T new_m = m + T(1 - 0.9) * (g - m);
  const T new_v = T(0.999) * v + (T(1 - 0.999) * g) * g;
  const T step_size = static_cast<T>(0.01 / (1 - strict::power(0.9, 7)));
  const T correction = static_cast<T>(std::sqrt(1 - strict::power(0.999, 7)));
  const T expected = p - (step_size * new_m) / (std::sqrt(new_v) / correction + T(1e-8));
  EXPECT_TRUE(same_bits(call.template result<T>(0), {expected}));
  EXPECT_TRUE(same_bits(call.template result<T>(1), {new_m}));
  EXPECT_TRUE(same_bits(call.template result<T>(2), {new_v}));
}

TYPED_TEST(ReferenceUpdates, CountStepsFromOne) {
  using T = TypeParam;
  for (const std::string op : {"adam", "adamw", "adagrad"}) {
    Call call = this->call(op);
    const int states = op == "adagrad" ? 1 : 2;
    for (int i = 0; i < 2 + states; ++i) call.operand<T>({1}, {1});
    for (int i = 0; i < 1 + states; ++i) call.template output<T>({1});
    call.scalar(0.01).step(0);
    EXPECT_EQ(call.run(), TENON_ERROR_INVALID_ARGUMENT);
    EXPECT_EQ(TestHost::error, "[" + op + "] step 0: steps count from 1");
  }
}

/// A parameter of 1 and its states, taken two steps with the gradients 0.5 and -0.25 at the rate 0.1.
template <class T>
std::vector<T> two_steps(const std::string& op, std::size_t states, double decay, double rate_decay = 0) {
  std::vector<T> values(1 + states, T(0));
  values[0] = 1;
  for (const int step : {1, 2}) {
    Call call(op + suffix<T>());
    call.operand<T>({1}, {values[0]}).template operand<T>({1}, {step == 1 ? T(0.5) : T(-0.25)});
    for (std::size_t i = 0; i < states; ++i) call.operand<T>({1}, {values[1 + i]});
    for (std::uint32_t i = 0; i <= states; ++i) call.output<T>({1}).in_place(i, i == 0 ? 0 : i + 1);
    call.scalar(0.1).real("decay", decay);
    if (op == "adagrad") call.step(step).real("rate_decay", rate_decay);
    EXPECT_EQ(call.run(), TENON_OK) << TestHost::error;
    for (std::uint32_t i = 0; i <= states; ++i) values[i] = call.result<T>(i)[0];
  }
  return values;
}

template <class T>
void expect_near(const std::vector<T>& found, const std::vector<double>& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i)
    EXPECT_NEAR(found[i], expected[i], 8 * std::numeric_limits<T>::epsilon() + 1e-9) << "value " << i;
}

// The expected numbers are worked by hand from PyTorch's formulas.

TYPED_TEST(ReferenceUpdates, AdagradDividesByTheRootOfTheSumOfSquares) {
  // sum 0.25, 0.3125: 1 - 0.1 * 0.5 / 0.5 = 0.9; + 0.1 * 0.25 / 0.5590169943749475
  expect_near(two_steps<TypeParam>("adagrad", 1, 0), {0.9447213596, 0.3125});
  // the second rate is 0.1 / 1.5
  expect_near(two_steps<TypeParam>("adagrad", 1, 0, 0.5), {0.9298142397, 0.3125});
  // gradients 0.5 + 0.1 * 1 and -0.25 + 0.1 * 0.9
  expect_near(two_steps<TypeParam>("adagrad", 1, 0.1), {0.9257662651, 0.3856});
}

TYPED_TEST(ReferenceUpdates, RmspropDividesByTheRootOfTheAverageSquare) {
  // 0.01 * 0.25 = 0.0025, root 0.05: 1 - 1 = 0, or 2e-7 with epsilon; 0.99 * 0.0025 + 0.01 * 0.0625 = 0.0031
  expect_near(two_steps<TypeParam>("rmsprop", 1, 0), {2e-7 + 0.025 / (std::sqrt(0.0031) + 1e-8), 0.0031});
}

TYPED_TEST(ReferenceUpdates, AdadeltaScalesByTheRootOfItsOwnAverage) {
  // Step 1: square 0.025, delta 0.001 / sqrt(0.025001) * 0.5, its average 0.1 delta^2.
  const double first = 0.001 / std::sqrt(0.025001) * 0.5, average = 0.1 * first * first;
  // Step 2: square 0.9 * 0.025 + 0.1 * 0.0625 = 0.02875.
  const double second = std::sqrt(average + 1e-6) / std::sqrt(0.028751) * -0.25;
  expect_near(two_steps<TypeParam>("adadelta", 2, 0),
              {1 - 0.1 * (first + second), 0.02875, 0.9 * average + 0.1 * second * second});
}

}  // namespace
}  // namespace tenon::testing
