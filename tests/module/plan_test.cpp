// Plans on devices: all or nothing, and no copy of a drawn parameter on the host.
#include "fakes/late/ledger.h"
#include "module/modules_on.h"

namespace tenon::test {
namespace {

template <class Module>
late::Ledger& ledger_of(Module& module) {
  return static_cast<late::Instance*>(module.core().session().device().plugin().self())->ledger;
}

class PlanOn : public testing::TestWithParam<Where> {
 protected:
  const TypedRows<float> data{8};
};

TEST_P(PlanOn, GivesEveryParameterItsValues) {
  auto net = mlp_on<float>(GetParam());
  ASSERT_TRUE(apply_plan(net, {"fc1.weight"_p = init::uniform(-1, 2, 3), init::zeros(), "fc2.weight"_p = init::ones(),
                               init::flat({0.1, -2, 1e-40})}));
  const auto pack = must(net.params());
  for (std::size_t i = 0; i < 12; ++i)
    EXPECT_EQ(pack.arrays()[0][i], static_cast<float>(sample_at(init::Uniform{-1, 2, 3}, i)));
  EXPECT_EQ(pack.arrays()[1], std::vector<float>(4, 0));
  EXPECT_EQ(pack.arrays()[2], std::vector<float>(12, 1));
  EXPECT_EQ(pack.arrays()[3], (std::vector<float>{0.1F, -2, 1e-40F}));
}

TEST_P(PlanOn, AWrongPlanSaysWhereAndChangesNothing) {
  auto net = mlp_on<float>(GetParam());
  const auto before = must(net.params());
  const auto refused = [&](FloatInit last) {
    const std::vector<FloatInit> plan{init::ones(), init::ones(), init::ones(), std::move(last)};
    const auto answer = net.core().apply_plan(plan);
    EXPECT_EQ(must(net.params()), before);
    auto typed = mlp_plan();
    typed.set("fc2.bias"_p, plan.back());
    EXPECT_EQ(refusal(apply_plan(net, typed)), refusal(answer));
    EXPECT_EQ(refusal(instantiate_with_plan<float>(define<Mlp>(), options_on(GetParam()), typed)), refusal(answer));
    return refusal(answer);
  };
  const std::string place = "[plan] parameter 3 fc2.bias (3): ";
  EXPECT_EQ(refused(init::flat({1, 2})), place + "[init] flat: found 2 values, expected 3");
  for (const FloatInit& wrong :
       {FloatInit(init::uniform(2, 1)), FloatInit(init::normal(0, -1)), FloatInit(init::KaimingUniform{}),
        FloatInit(init::uniform(-1e308, 1e308)), FloatInit(init::normal(0, std::numeric_limits<double>::infinity()))})
    EXPECT_EQ(refused(wrong).substr(0, place.size()), place) << wrong.index();
  EXPECT_EQ(refusal(net.core().apply_plan(std::vector<FloatInit>(3, init::ones()))),
            "[plan] found 3 initializers, expected 4");
  EXPECT_EQ(must(net.params()), before);
}

TEST_P(PlanOn, ReplacesValuesUnderLiveEvaluatorsAndOptimizers) {
  auto net = mlp_on<float>(GetParam()), fresh = mlp_on<float>(GetParam(), 9);
  const auto evaluator = net.evaluator();
  ASSERT_TRUE(evaluator(data.x));
  Optimizer sgd = must(net.init_optim(optim::sgd()));
  ASSERT_TRUE(net.step_with(sgd, 0.1, data.x, data.label));
  ASSERT_TRUE(apply_plan(net, mlp_plan(9)));
  EXPECT_EQ(must(evaluator(data.x)), must(fresh.evaluate(data.x)));
  ASSERT_TRUE(net.step_with(sgd, 0.1, data.x, data.label));
  ASSERT_TRUE(fresh.step(0.1, data.x, data.label));
  EXPECT_EQ(must(net.params()), must(fresh.params()));
}

INSTANTIATE_TEST_SUITE_P(Everywhere, PlanOn, testing::ValuesIn(everywhere()), name_of);

class PlanOnLate : public testing::TestWithParam<Backend> {
 protected:
  const Where where{"late", GetParam()};
  const TypedRows<float> data{8};
};

TEST_P(PlanOnLate, IsAllOrNothingWhicheverAllocationFails) {
  auto net = mlp_on<float>(where);
  const auto before = must(net.params());
  const auto logits = must(net.evaluate(data.x));
  const auto expected = must(mlp_on<float>(where, 9).params());
  late::Ledger& ledger = ledger_of(net);
  int refusals = 0;
  for (std::int64_t n = 0;; ++n) {
    ledger.allocations_left = n;
    const auto applied = apply_plan(net, mlp_plan(9));
    ledger.allocations_left = -1;
    if (applied) break;
    ++refusals;
    EXPECT_EQ(applied.error().reason, Reason::OUT_OF_MEMORY);
    EXPECT_NE(applied.error().text.find("a test asked for this"), std::string::npos) << applied.error().text;
    ASSERT_EQ(must(net.params()), before) << n;
    ASSERT_EQ(must(net.evaluate(data.x)), logits) << n;
  }
  EXPECT_GE(refusals, 4);
  EXPECT_EQ(must(net.params()), expected);
}

TEST_P(PlanOnLate, InstantiationIsAnErrorWhicheverAllocationFails) {
  const auto runtime = must(SharedRuntime::open(options_on(where)));
  late::Ledger& ledger = static_cast<late::Instance*>(runtime.get().registry.device()->plugin().self())->ledger;
  int refusals = 0;
  for (std::int64_t n = 0;; ++n) {
    ledger.allocations_left = n;
    auto net = instantiate_on<float>(runtime, define<Mlp>(), mlp_plan());
    ledger.allocations_left = -1;
    if (net) {
      EXPECT_EQ(must(net->params()), must(mlp_on<float>(where).params()));
      break;
    }
    ++refusals;
    EXPECT_EQ(net.error().reason, Reason::OUT_OF_MEMORY) << net.error().text;
  }
  EXPECT_GE(refusals, 8);  // zeros, then what the plan gives
}

TEST_P(PlanOnLate, AStepOrASetThatFindsNoMemoryChangesNothing) {
  auto net = mlp_on<float>(where);
  const auto before = must(net.params());
  auto other = must(mlp_on<float>(where, 9).params());
  late::Ledger& ledger = ledger_of(net);
  int refusals = 0;
  for (std::int64_t n = 0;; ++n) {
    ledger.allocations_left = n;
    const auto loss = net.step_with_loss(0.5, data.x, data.label);
    ledger.allocations_left = -1;
    if (loss) break;
    ++refusals;
    EXPECT_EQ(loss.error().reason, Reason::OUT_OF_MEMORY) << loss.error().text;
    ASSERT_EQ(must(net.params()), before) << n;
  }
  EXPECT_GE(refusals, 2);  // inputs, values
  const auto after = must(net.params());
  auto by_hand = mlp_on<float>(where);
  ASSERT_TRUE(by_hand.step(0.5, data.x, data.label));
  EXPECT_EQ(after, must(by_hand.params()));
  for (std::int64_t n = 0; n < 4; ++n) {
    ledger.allocations_left = n;
    EXPECT_EQ(net.set_params(other).error().reason, Reason::OUT_OF_MEMORY);
    ledger.allocations_left = -1;
    ASSERT_EQ(must(net.params()), after);
  }
}

TEST_P(PlanOnLate, DrawnValuesAreNeverOnTheHostAndFlatOnesAreUploadedOnce) {
  auto first = mlp_on<float>(where);
  late::Ledger& ledger = ledger_of(first);
  const std::uint64_t in = ledger.bytes_in, out = ledger.bytes_out;
  auto drawn = must(instantiate_with_plan<float>(
      define<Mlp>(), options_on(where), {init::uniform(-1, 1, 1), init::zeros(), init::normal(0, 1, 2), init::ones()}));
  EXPECT_EQ(ledger.bytes_in - in, 0u);
  auto by_fans = must(instantiate_configured<float>(define<Mlp>(), options_on(where)));
  EXPECT_EQ(ledger.bytes_in - in, 0u);
  auto mixed = must(instantiate_with_plan<float>(
      define<Mlp>(), options_on(where),
      {init::xavier_uniform(1), init::flat({1, 2, 3, 4}), init::kaiming_uniform(2), init::flat({1, 2, 3})}));
  EXPECT_EQ(ledger.bytes_in - in, 7 * sizeof(float));
  EXPECT_EQ(ledger.bytes_out - out, 0u);
}

TEST_P(PlanOnLate, ParametersAreReadBackOnceUntilTheyChange) {
  constexpr std::uint64_t all = (12 + 4 + 12 + 3) * sizeof(float);
  auto net = mlp_on<float>(where);
  late::Ledger& ledger = ledger_of(net);
  std::uint64_t out = ledger.bytes_out;
  const auto read_now = [&] { return ledger.bytes_out - std::exchange(out, ledger.bytes_out.load()); };
  ASSERT_TRUE(net.params());
  EXPECT_EQ(read_now(), all);
  ASSERT_TRUE(net.params());
  EXPECT_EQ(read_now(), 0u);
  ASSERT_TRUE(net.evaluate(data.x));
  read_now();
  ASSERT_TRUE(net.params());
  EXPECT_EQ(read_now(), 0u);
  ASSERT_TRUE(net.step(0.1, data.x, data.label));
  EXPECT_LE(read_now(), sizeof(float));  // the loss
  ASSERT_TRUE(net.params());
  EXPECT_EQ(read_now(), all);
  ASSERT_TRUE(apply_plan(net, mlp_plan(2)));
  EXPECT_EQ(read_now(), 0u);
  ASSERT_TRUE(net.params());
  EXPECT_EQ(read_now(), all);
}

INSTANTIATE_TEST_SUITE_P(Everywhere, PlanOnLate, testing::Values(Backend::eager, Backend::compiled),
                         [](const auto& each) { return std::string(name(each.param)); });

}  // namespace
}  // namespace tenon::test
