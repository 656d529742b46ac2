// What one typed module does with one batch, on every device with every backend.
#include "module/modules_on.h"
#include "tenon/dropout.h"

namespace tenon::test {
namespace {

using Bytes = std::vector<std::vector<std::byte>>;

template <class Module>
Bytes bytes_of(Module& module) {
  const auto values = must(module.core().parameters());
  return {values.begin(), values.end()};
}

class ScalarModuleOn : public testing::TestWithParam<Where> {
 protected:
  const TypedRows<float> data{8};
};

TEST_P(ScalarModuleOn, IsTheSameProgramAsOneOverValuesBitForBit) {
  auto net = mlp_on<float>(GetParam());
  Session session = session_of(GetParam(), small_mlp(), {});
  ASSERT_TRUE(session.initialise(initial_values(session.program(), 1)));
  EXPECT_EQ(bytes_of(net), *session.read_parameters());
  const Rows rows(8);
  EXPECT_EQ(must(net.forward(data.x, data.label)), static_cast<float>(*session.training_loss(rows.batch())));
  for (const OpSpec& row : all_ops()) {
    if (row.role != Role::update) continue;
    SCOPED_TRACE(row.name);
    const OptimizerSpec spec{row.op, row.defaults};
    Optimizer typed = must(net.init_optim(spec)), plain = must(session.init_optim(spec));
    for (int i = 0; i < 3; ++i)
      EXPECT_EQ(must(net.step_with(typed, 0.05, data.x, data.label)),
                static_cast<float>(*session.train_step(rows.batch(), plain, 0.05)));
    EXPECT_EQ(bytes_of(net), *session.read_parameters());
  }
  const std::vector<double> logits = *session.evaluate(rows.batch());
  const auto found = must(net.evaluate(data.x));
  EXPECT_EQ(std::vector<double>(found.values().begin(), found.values().end()), logits);
  EXPECT_EQ(found.shape(), (Shape{8, 3}));
}

TEST_P(ScalarModuleOn, AReturnedLossIsTheOneBeforeTheUpdate) {
  auto net = mlp_on<float>(GetParam());
  const float before = must(net.forward(data.x, data.label));
  EXPECT_EQ(must(net.step_with_loss(0.5, data.x, data.label)), before);
  const float after = must(net.forward(data.x, data.label));
  EXPECT_LT(after, before);
  EXPECT_EQ(must(net.loss_and_backward(data.x, data.label)).loss, after);
  Optimizer adam = must(net.init_optim(optim::adam()));
  EXPECT_EQ(must(net.step_with(adam, 0.01, data.x, data.label)), after);
}

TEST_P(ScalarModuleOn, AStepGoesAgainstTheGradient) {
  auto net = mlp_on<double>(GetParam());
  const TypedRows<double> rows(8);
  auto expected = must(net.params());
  const auto gradients = must(net.backward(rows.x, rows.label));
  ASSERT_TRUE(net.step(0.25, rows.x, rows.label));
  const auto found = must(net.params());
  for (std::size_t i = 0; i < expected.size; ++i)
    for (std::size_t j = 0; j < expected.arrays()[i].size(); ++j)
      EXPECT_NEAR(found.arrays()[i][j], expected.arrays()[i][j] - 0.25 * gradients.arrays()[i][j], 1e-15);
  EXPECT_NE(gradients["fc1.weight"_p].values()[0], 0);
}

TEST_P(ScalarModuleOn, StepAndStepWithLossAndPlainSgdAreTheSameStep) {
  auto a = mlp_on<float>(GetParam()), b = mlp_on<float>(GetParam()), c = mlp_on<float>(GetParam());
  Optimizer sgd = must(c.init_optim(optim::sgd()));
  for (int i = 0; i < 3; ++i) {
    ASSERT_TRUE(a.step(0.1, data.x, data.label));
    EXPECT_EQ(must(b.step_with_loss(0.1, data.x, data.label)), must(c.step_with(sgd, 0.1, data.x, data.label)));
  }
  EXPECT_EQ(bytes_of(a), bytes_of(b));
  EXPECT_EQ(bytes_of(a), bytes_of(c));
  EXPECT_EQ(sgd.steps(), 3);
}

TEST_P(ScalarModuleOn, AnOptimizerHandleKeepsItsStateOverCalls) {
  auto one = mlp_on<float>(GetParam()), anew = mlp_on<float>(GetParam());
  Optimizer adam = must(one.init_optim(optim::adam()));
  for (int i = 0; i < 2; ++i) {
    ASSERT_TRUE(one.step_with(adam, 0.1, data.x, data.label));
    ASSERT_TRUE(one.evaluate(data.x));
    Optimizer fresh = must(anew.init_optim(optim::adam()));
    ASSERT_TRUE(anew.step_with(fresh, 0.1, data.x, data.label));
    if (i == 0) {
      EXPECT_EQ(bytes_of(one), bytes_of(anew));
    }
  }
  EXPECT_EQ(adam.steps(), 2);
  EXPECT_NE(bytes_of(one), bytes_of(anew));
}

TEST_P(ScalarModuleOn, ParametersAreReadAndSetByName) {
  auto net = mlp_on<float>(GetParam());
  auto pack = must(net.params());
  const auto weight = pack["fc1.weight"_p];
  EXPECT_EQ(weight.shape(), (Shape{4, 3}));
  EXPECT_EQ(weight.values()[5], static_cast<float>(sample_at(init::Uniform{-0.7, 0.7, 1}, 5)));
  pack.set("fc1.bias"_p, must(HostTensor<float, 4>::of({1, 2, 3, 4})));
  ASSERT_TRUE(net.set_params(pack));
  EXPECT_EQ(must(net.params()), pack);
  ASSERT_TRUE(net.step(0.1, data.x, data.label));
  EXPECT_NE(must(net.params()), pack);
}

TEST_P(ScalarModuleOn, FrozenParametersNeverMoveAndReportZeroGradients) {
  auto net = must(instantiate_with_plan<float>(define<Mlp>().freeze("fc1"_p), options_on(GetParam()), mlp_plan()));
  const auto before = must(net.params());
  const auto gradients = must(net.backward(data.x, data.label));
  EXPECT_EQ(gradients["fc1.weight"_p], (must(HostTensor<float, 4, 3>::of(std::vector<float>(12)))));
  EXPECT_EQ(gradients["fc1.bias"_p], (must(HostTensor<float, 4>::of({0, 0, 0, 0}))));
  EXPECT_NE(gradients["fc2.weight"_p].values()[0], 0);
  Optimizer adamw = must(net.init_optim(optim::adamw()));  // whose decay moves what has no gradient too
  ASSERT_TRUE(net.step(0.5, data.x, data.label));
  ASSERT_TRUE(net.step_with(adamw, 0.5, data.x, data.label));
  ASSERT_TRUE(net.train_with(adamw, {.epochs = 2, .batch = 3, .rate = 0.5}, data.x, data.label));
  const auto after = must(net.params());
  EXPECT_EQ(after["fc1.weight"_p], before["fc1.weight"_p]);
  EXPECT_EQ(after["fc1.bias"_p], before["fc1.bias"_p]);
  EXPECT_NE(after["fc2.weight"_p], before["fc2.weight"_p]);
}

TEST_P(ScalarModuleOn, EvaluatorsShareLiveParametersEvenAfterTheModuleIsGone) {
  std::optional<ModuleOf<float, Mlp>> net = mlp_on<float>(GetParam());
  const auto evaluator = net->evaluator();
  const auto first = must(evaluator(data.x));
  EXPECT_EQ(first, must(net->evaluate(data.x)));
  ASSERT_TRUE(net->step(0.5, data.x, data.label));
  const auto second = must(evaluator(data.x));
  EXPECT_NE(second, first);
  EXPECT_EQ(second, must(net->evaluate(data.x)));
  net.reset();
  EXPECT_EQ(must(evaluator(data.x)), second);
}

TEST_P(ScalarModuleOn, TakesEveryBatchSize) {
  auto net = mlp_on<float>(GetParam());
  const auto all = must(net.evaluate(data.x));
  const auto one = must(HostTensor<float, 1, 3>::of({data.x(4, 0), data.x(4, 1), data.x(4, 2)}));
  const auto found = must(net.evaluate(one));
  EXPECT_EQ(found.shape(), (Shape{1, 3}));
  for (std::size_t j = 0; j < 3; ++j) EXPECT_EQ(found.values()[j], all(4, j));
}

TEST_P(ScalarModuleOn, RefusesLabelsOutOfRangeAndInputsThatDisagreeWithoutMoving) {
  auto net = mlp_on<float>(GetParam());
  const Bytes before = bytes_of(net);
  const auto seven = must(HostTensor<Natural, batch>::of({0, 1, 2, 0, 1, 2, 7, 0}));
  EXPECT_NE(refusal(net.step_with_loss(0.1, data.x, seven)).find("found 7"), std::string::npos)
      << refusal(net.step_with_loss(0.1, data.x, seven));
  const auto two = must(HostTensor<Natural, batch>::of({0, 1}));
  EXPECT_EQ(refusal(net.forward(data.x, two)),
            "[session] batch: found 2 in input natural0, expected 8 as in input input0");
  EXPECT_EQ(bytes_of(net), before);
}

/// One scalar weight; draws in training only.
struct Noisy {
  Tensor<1> w;

  auto forward(Tensor<batch, 4> x) const { return dropout(x, 0.5) * w; }
  auto loss(Tensor<batch, 4> x) const { return reduce_mean(forward(x)); }
};

TEST_P(ScalarModuleOn, DropsOutInTrainingOnly) {
  Options options = options_on(GetParam());
  options.seed = 42;
  auto net = must(instantiate_with_plan<float>(define<Noisy>(), options, {init::ones()}));
  const auto x = must(HostTensor<float, batch, 4>::of({1, 1, 1, 1, 1, 1, 1, 1}));
  EXPECT_EQ(must(net.evaluate(x)), (HostTensor<float, batch, 4>(Shape{2, 4}, std::vector<float>(8, 1))));
  EXPECT_EQ(must(net.mean_loss(2, x)), 1);
  EXPECT_EQ(net.core().session().draws(), 0u);
  for (std::uint64_t counter = 0; counter < 3; ++counter) {
    float kept = 0;
    for (std::uint64_t i = 0; i < 8; ++i) kept += random::unit(random::key(42, counter), i) < 0.5 ? 1.0F : 0.0F;
    EXPECT_EQ(must(net.forward(x)), kept * 2 / 8) << counter;
    EXPECT_EQ(net.core().session().draws(), counter + 1);
  }
}

/// Keeps a running mean of its inputs.
struct Running {
  Tensor<3> w;
  State<3> mean;

  auto forward(Tensor<batch, 3> x) const { return (x - mean) * w; }
  auto loss(Tensor<batch, 3> x) const {
    update(mean, mean * 0.5 + reduce_mean<0>(x) * 0.5);
    return reduce_mean(x * w);
  }
};

TEST_P(ScalarModuleOn, StatesFollowTrainingAndAreReadAndSet) {
  auto net = must(instantiate_with_plan<float>(define<Running>(), options_on(GetParam()), {init::ones()}));
  const auto x = must(HostTensor<float, batch, 3>::of({2, 4, 6, 4, 8, 10}));
  EXPECT_EQ(must(net.states())["mean"_p], (must(HostTensor<float, 3>::of({0, 0, 0}))));
  ASSERT_TRUE(net.step(0.1, x));
  EXPECT_EQ(must(net.states())["mean"_p], (must(HostTensor<float, 3>::of({1.5, 3, 4}))));
  ASSERT_TRUE(net.evaluate(x));
  auto states = must(net.states());
  EXPECT_EQ(states["mean"_p], (must(HostTensor<float, 3>::of({1.5, 3, 4}))));
  states.set("mean"_p, must(HostTensor<float, 3>::of({2, 4, 6})));
  ASSERT_TRUE(net.set_states(states));
  const auto centred = must(net.evaluate(x));
  EXPECT_EQ(centred(0, 0), 0);
  EXPECT_EQ(centred(0, 2), 0);
}

INSTANTIATE_TEST_SUITE_P(Everywhere, ScalarModuleOn, testing::ValuesIn(everywhere()), name_of);

TEST(ScalarModule, TrainsToTheSameStrictBitsEverywhere) {
  std::vector<Bytes> found;
  std::vector<TrainingReport> reports;
  const TypedRows<float> data(11);
  for (const Where& where : everywhere()) {
    auto net = mlp_on<float>(where);
    Optimizer adam = must(net.init_optim(optim::adam()));
    reports.push_back(
        must(net.train_with(adam, {.epochs = 3, .batch = 4, .rate = 0.05, .shuffle = 9}, data.x, data.label)));
    found.push_back(bytes_of(net));
  }
  for (std::size_t i = 1; i < found.size(); ++i) {
    EXPECT_EQ(found[i], found[0]) << to_string(everywhere()[i]);
    EXPECT_EQ(reports[i].epoch_losses, reports[0].epoch_losses) << to_string(everywhere()[i]);
  }
}

}  // namespace
}  // namespace tenon::test
