#include <cfenv>
#include <cmath>
#include <cstring>

#include "session/where.h"

namespace tenon::test {
namespace {

class SessionOn : public testing::TestWithParam<Where> {
 protected:
  Session trained(DType real, int steps, std::uint64_t rows = 7) {
    Session session = session_of(GetParam(), small_mlp(), {.real = real, .training_batches = {rows}});
    EXPECT_TRUE(session.initialise(initial_values(session.program(), 1)));
    auto optimizer = session.init_optim({Op::adam, Moments{}});
    EXPECT_TRUE(optimizer);
    const Rows data(rows);
    for (int i = 0; i < steps; ++i) EXPECT_TRUE(session.train_step(data.batch(), *optimizer, 0.05));
    return session;
  }
};

TEST_P(SessionOn, TrainingLowersTheLoss) {
  Session session = trained(DType::f32, 0);
  auto optimizer = session.init_optim({Op::adam, Moments{}});
  const Rows data(7);
  const double before = *session.train_step(data.batch(), *optimizer, 0.05);
  double after = before;
  for (int i = 0; i < 200; ++i) after = *session.train_step(data.batch(), *optimizer, 0.05);
  EXPECT_GT(before, 0.7);
  EXPECT_LT(after, 0.1 * before);
  EXPECT_EQ(optimizer->steps(), 201);
}

TEST_P(SessionOn, TheLossOfAStepIsTheOneBeforeIt) {
  Session session = trained(DType::f32, 3);
  auto optimizer = session.init_optim({Op::sgd});
  const Rows data(7);
  const double before = *session.loss(data.batch());
  EXPECT_EQ(*session.train_step(data.batch(), *optimizer, 0.1), before);
  EXPECT_NE(*session.loss(data.batch()), before);
}

TEST_P(SessionOn, HasTheBitsOfTheEagerCpu) {
  for (const DType real : {DType::f32, DType::f64}) {
    Session here = trained(real, 10);
    Session cpu = session_of("cpu", small_mlp(), {.real = real});
    ASSERT_TRUE(cpu.initialise(initial_values(cpu.program(), 1)));
    auto optimizer = cpu.init_optim({Op::adam, Moments{}});
    const Rows data(7);
    for (int i = 0; i < 10; ++i) ASSERT_TRUE(cpu.train_step(data.batch(), *optimizer, 0.05));
    EXPECT_EQ(*here.read_parameters(), *cpu.read_parameters());
  }
}

TEST_P(SessionOn, GradientsAgreeWithCentralDifferences) {
  Session session = trained(DType::f64, 2);
  const Rows data(7);
  const auto gradients = *session.gradients(data.batch());
  const auto start = *session.read_parameters();
  const double h = 1e-6;
  const auto loss_at = [&](std::size_t p, std::size_t i, double shift) {
    auto moved = start;
    double value;
    std::memcpy(&value, moved[p].data() + 8 * i, 8);
    value += shift;
    std::memcpy(moved[p].data() + 8 * i, &value, 8);
    EXPECT_TRUE(session.set_parameters(moved));
    return *session.loss(data.batch());
  };
  for (std::size_t p = 0; p < gradients.size(); ++p)
    for (std::size_t i = 0; i < gradients[p].size(); ++i)
      EXPECT_NEAR(gradients[p][i], (loss_at(p, i, h) - loss_at(p, i, -h)) / (2 * h), 1e-7) << p << " " << i;
}

TEST_P(SessionOn, ServesBatchSizesThatWereNotAnnounced) {
  Session session = trained(DType::f32, 5);
  const Rows all(12);
  const auto whole = *session.evaluate(all.batch());
  ASSERT_EQ(whole.size(), 36u);
  const Batch last{2, {std::span(all.x).subspan(30)}, {}};
  const auto part = *session.evaluate(last);
  EXPECT_EQ(part, std::vector<double>(whole.begin() + 30, whole.end()));
}

TEST_P(SessionOn, FrozenParametersNeverMoveAndReportZeros) {
  Program program = small_mlp();
  program.parameters[0].requires_grad = false;
  Session session = session_of(GetParam(), program, {.real = DType::f32});
  ASSERT_TRUE(session.initialise(initial_values(program, 1)));
  const auto before = *session.read_parameters();
  auto optimizer = session.init_optim({Op::momentum, Momentum{}});
  const Rows data(5);
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(session.train_step(data.batch(), *optimizer, 0.1));
  const auto after = *session.read_parameters();
  EXPECT_EQ(after[0], before[0]);
  EXPECT_NE(after[1], before[1]);
  EXPECT_EQ((*session.gradients(data.batch()))[0], std::vector<double>(12, 0.0));
}

TEST_P(SessionOn, RefusesALabelBeyondTheClassesBeforeAnythingRuns) {
  Session session = trained(DType::f32, 1);
  auto optimizer = session.init_optim({Op::sgd});
  const auto before = *session.read_parameters();
  Rows data(7);
  data.labels[4] = 3;
  const auto refused = session.train_step(data.batch(), *optimizer, 0.1);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().reason, Reason::INDEX_OUT_OF_RANGE);
  EXPECT_EQ(refused.error().text,
            "[cross_entropy] labels index axis -1 of logits (7, 3): found 3 at position 4, expected less than 3");
  EXPECT_EQ(*session.read_parameters(), before);
}

TEST_P(SessionOn, RefusesABatchOfTheWrongSize) {
  Session session = trained(DType::f32, 1);
  const Rows data(7);
  Batch batch = data.batch();
  batch.rows = 6;
  const auto refused = session.evaluate(batch);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().text, "[session] input x (6, 3): found 21 values, expected 18");
}

TEST_P(SessionOn, ReportsTheShapesOfAProgramThatDoesNotFit) {
  Program program = small_mlp();
  program.parameters[2].shape = Shape{3, 5};
  const auto refused = Session::create(registry_of(GetParam().device), program,
                                       {.backend = GetParam().backend, .training_batches = {8}});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().reason, Reason::SHAPE_MISMATCH);
  EXPECT_NE(refused.error().text.find("[linear] x (8, 4), weight (3, 5), bias (3): x has 4 features, weight takes 5"),
            std::string::npos)
      << refused.error().text;
}

TEST_P(SessionOn, ListsEveryOperationWithoutACapsule) {
  SelectionPolicy policy = policy_of(DType::f32);
  policy.provider = {ProviderPolicy::Rule::only, "nobody"};
  const auto refused = Session::create(registry_of(GetParam().device, policy), small_mlp(),
                                       {.backend = GetParam().backend, .training_batches = {8}});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().reason, Reason::NO_CAPSULE);
  for (const char* op :
       {"at %6: linear(x f32 (8, 3), weight f32 (4, 3), bias f32 (4)) -> f32 (8, 4)", "tanh(x f32 (8, 4))",
        "cross_entropy(", "cross_entropy_grad(", "tanh_grad(", "its provider is excluded by --provider"})
    EXPECT_NE(refused.error().text.find(op), std::string::npos) << op << "\n" << refused.error().text;
}

TEST_P(SessionOn, AProgramThatChangesIsServedAllTheSame) {
  Program program = small_mlp();
  auto calls = std::make_shared<int>(0);
  const auto forward = program.forward;
  program.forward = [calls, forward](const ProgramArguments& a) {
    const Value out = forward(a);
    return ++*calls > 1 ? scale(out, Factor{2}) : out;  // the first call records the trace
  };
  program.loss = [forward = program.forward](const ProgramArguments& a) {
    return cross_entropy(forward(a), a.naturals[0]);
  };
  Session changed = session_of(GetParam(), program, {.real = DType::f64, .training_batches = {6}});
  Session plain = session_of(GetParam(), small_mlp(), {.real = DType::f64});
  ASSERT_TRUE(changed.initialise(initial_values(program, 3)));
  ASSERT_TRUE(plain.initialise(initial_values(program, 3)));
  const Rows data(6);
  auto twice = *plain.evaluate(data.batch());
  for (double& value : twice) value *= 2;
  EXPECT_EQ(*changed.evaluate(data.batch()), twice);
  auto optimizer = changed.init_optim({Op::sgd});
  const double before = *changed.train_step(data.batch(), *optimizer, 0.2);
  EXPECT_LT(*changed.loss(data.batch()), before);
}

TEST_P(SessionOn, RandomOperationsAdvanceWithTheSessionsCounter) {
  Program program;
  program.name = "noise";
  program.inputs = {{"x", Kind::real, Shape{tenon::batch, 4}}};
  program.forward_reals = 1;
  program.forward = [](const ProgramArguments& a) {
    return mul(a.reals[0], bernoulli_mask(a.recorder, Keep{Shape{16, 4}, 0.5}));
  };
  program.loss = [](const ProgramArguments& a) { return reduce_sum(a.reals[0]); };
  const std::vector<double> ones(64, 1.0);
  const Batch batch{16, {ones}, {}};
  Session a = session_of(GetParam(), program, {.seed = 9}), b = session_of(GetParam(), program, {.seed = 9});
  const auto first = *a.evaluate(batch), second = *a.evaluate(batch);
  EXPECT_NE(first, second);
  EXPECT_EQ(*b.evaluate(batch), first);
  EXPECT_EQ(*b.evaluate(batch), second);
}

TEST_P(SessionOn, ChecksLabelsOfAProgramThatChangesToo) {
  Program program = small_mlp();
  auto calls = std::make_shared<int>(0);
  program.loss = [calls, forward = program.forward](const ProgramArguments& a) {
    const Value out = forward(a);
    return cross_entropy(++*calls > 1 ? neg(out) : out, a.naturals[0]);
  };
  Session session = session_of(GetParam(), program, {.real = DType::f32, .training_batches = {4}});
  Rows data(4);
  data.labels[2] = 9;
  const auto refused = session.loss(data.batch());
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().reason, Reason::INDEX_OUT_OF_RANGE);
}

TEST_P(SessionOn, RefusesAProgramCompiledWithAnotherOpTable) {
  CompiledWith another;
  ++another.ops;
  const auto refused = Session::create(registry_of(GetParam().device), small_mlp(), {}, another);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().reason, Reason::HEADERS_MISMATCH);
}

TEST_P(SessionOn, RefusesALossOfManyElements) {
  Program program = small_mlp();
  program.loss = program.forward;
  const auto refused = Session::create(registry_of(GetParam().device, policy_of(DType::f32)), program,
                                       {.backend = GetParam().backend, .evaluation_batches = {4}});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().text, "[loss] of small_mlp (4, 3): expected one element");
}

TEST_P(SessionOn, RefusesAnUpdateWithoutCapsuleAtCreation) {
  SelectionPolicy policy = policy_of(DType::f32);
  policy.provider = {ProviderPolicy::Rule::only, "nobody"};
  const Program program = small_mlp();
  const auto refused = Session::create(registry_of(GetParam().device, policy), program,
                                       {.backend = GetParam().backend,
                                        .optimizer = OptimizerSpec{Op::adam, Moments{}},
                                        .initial_values = initial_values(program, 1)});
  ASSERT_FALSE(refused);
  for (const char* part :
       {"[session] 8 operations have no admissible capsule on ", "at initial values: init_uniform()",
        "at update of w1: adam(parameter f32 (4, 3), gradient f32 (4, 3), m f32 (4, 3), v f32 (4, 3))"})
    EXPECT_NE(refused.error().text.find(part), std::string::npos) << part << "\n" << refused.error().text;
}

TEST_P(SessionOn, HasTheSameBitsWhateverTheCallersRounding) {
  const auto parameters = [&](int rounding) {
    std::fesetround(rounding);
    Session session = session_of(GetParam(), small_mlp(), {.real = DType::f32});
    EXPECT_TRUE(session.initialise(initial_values(session.program(), 1)));
    auto optimizer = session.init_optim({Op::adam, Moments{}});
    const Rows data(7);
    for (int i = 0; i < 3; ++i) EXPECT_TRUE(session.train_step(data.batch(), *optimizer, 0.1));
    EXPECT_EQ(std::fegetround(), rounding);
    std::fesetround(FE_TONEAREST);
    return *session.read_parameters();
  };
  EXPECT_EQ(parameters(FE_UPWARD), parameters(FE_TONEAREST));
}

#ifdef __SSE2__
TEST_P(SessionOn, KeepsSubnormalsWhereTheCallerFlushesThem) {
  Program program;
  program.name = "square";
  program.inputs = {{"x", Kind::real, Shape{tenon::batch, 1}}};
  program.forward_reals = 1;
  program.forward = [](const ProgramArguments& a) { return mul(a.reals[0], a.reals[0]); };
  program.loss = [](const ProgramArguments& a) { return reduce_sum(a.reals[0]); };
  Session session = session_of(GetParam(), program, {.real = DType::f32});
  const float small = 0x1p-70f;
  const std::vector<double> x{small};
  const unsigned callers = __builtin_ia32_stmxcsr();
  __builtin_ia32_ldmxcsr(callers | 0x8040);  // flush to zero, denormals are zero
  const auto square = session.evaluate({1, {x}, {}});
  const unsigned after = __builtin_ia32_stmxcsr();
  __builtin_ia32_ldmxcsr(callers);
  ASSERT_TRUE(square);
  EXPECT_EQ(square->front(), 0x1p-140);
  EXPECT_EQ(after & 0x8040, 0x8040u);
}
#endif

INSTANTIATE_TEST_SUITE_P(Everywhere, SessionOn, testing::ValuesIn(everywhere()), name_of);

}  // namespace
}  // namespace tenon::test
