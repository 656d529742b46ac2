// The eager and the compiled backend do the same: values, errors, and what a session carries from run to run.
#include <cstring>

#include "session/both_backends.h"

namespace tenon::test {
namespace {

class BackendsOn : public testing::TestWithParam<std::string> {};

/// One weight for each of four features; the loss is mean((x w)^2), `noise` times the features.
Program weighted(std::function<Value(const ProgramArguments&, Value)> noise) {
  Program p;
  p.name = "weighted";
  p.parameters = {{"w", Shape{4}}};
  p.inputs = {{"x", Kind::real, Shape{tenon::batch, 4}}};
  p.forward_reals = 1;
  p.forward = [noise](const ProgramArguments& a) { return noise(a, mul(a.reals[0], a.parameters[0])); };
  p.loss = [forward = p.forward](const ProgramArguments& a) {
    const Value y = forward(a);
    return reduce_mean(mul(y, y));
  };
  return p;
}

struct Features {
  std::vector<double> x;
  Features() {
    for (std::uint64_t i = 0; i < 12; ++i) x.push_back(sample_at(init::Uniform{-1, 1, 3}, i));
  }
  Batch batch() const { return {3, {x}, {}}; }
};

TEST_P(BackendsOn, EveryUpdateGivesTheSameBits) {
  for (const OpSpec& row : all_ops()) {
    if (row.role != Role::update) continue;
    for (const DType real : {DType::f32, DType::f64}) {
      SCOPED_TRACE(std::string(row.name) + " " + std::string(name(real)));
      auto sessions = both_backends(GetParam(), small_mlp(), {.real = real, .training_batches = {7}});
      initialise(sessions, 1);
      auto optimizer = optimizers(sessions, {row.op, row.defaults});
      const auto start = *sessions[0].read_parameters();
      const Rows data(7), last(3, 8);
      for (int step = 0; step < 12; ++step) {
        const Batch batch = step % 4 == 3 ? last.batch() : data.batch();
        const auto eager = sessions[0].train_step(batch, optimizer[0], 0.05);
        const auto compiled = sessions[1].train_step(batch, optimizer[1], 0.05);
        ASSERT_TRUE(eager) << to_string(eager.error());
        ASSERT_EQ(text_of(eager), text_of(compiled)) << "step " << step;
      }
      expect_equal_sessions(sessions);
      EXPECT_NE(*sessions[1].read_parameters(), start);
      EXPECT_EQ(optimizer[1].steps(), 12);
      const auto eager = *sessions[0].read_optimizer(optimizer[0]),
                 compiled = *sessions[1].read_optimizer(optimizer[1]);
      ASSERT_EQ(eager.moments.size(), compiled.moments.size());
      for (std::size_t i = 0; i < eager.moments.size(); ++i)
        EXPECT_EQ(eager.moments[i].bytes, compiled.moments[i].bytes);
    }
  }
}

TEST_P(BackendsOn, DropoutChangesFromStepToStepAlike) {
  const Program program = weighted([](const ProgramArguments& a, Value y) {
    return mul(y, bernoulli_mask(a.recorder, Keep{a.recorder.shape(y), 0.5}));
  });
  auto sessions = both_backends(GetParam(), program, {.seed = 11});
  initialise(sessions, 2);
  auto optimizer = optimizers(sessions, {Op::sgd});
  const Features data;
  std::vector<double> losses;
  for (int step = 0; step < 8; ++step) {
    const auto eager = sessions[0].train_step(data.batch(), optimizer[0], 0.0);
    ASSERT_EQ(text_of(eager), text_of(sessions[1].train_step(data.batch(), optimizer[1], 0.0)));
    losses.push_back(*eager);
  }
  expect_equal_sessions(sessions);
  EXPECT_EQ(sessions[1].draws(), 8u);
  std::ranges::sort(losses);
  EXPECT_GT(std::unique(losses.begin(), losses.end()) - losses.begin(), 4);
}

TEST_P(BackendsOn, DeadRandomOperationsAreCounted) {
  const Program program = weighted([](const ProgramArguments& a, Value y) {
    rand_uniform(a.recorder, Sized{Shape{5}});
    const Value kept = mul(y, bernoulli_mask(a.recorder, Keep{a.recorder.shape(y), 0.5}));
    rand_uniform(a.recorder, Sized{Shape{5}});
    return kept;
  });
  auto sessions = both_backends(GetParam(), program, {.seed = 12});
  initialise(sessions, 2);
  auto optimizer = optimizers(sessions, {Op::sgd});
  const Features data;
  for (int step = 0; step < 4; ++step) {
    ASSERT_EQ(text_of(sessions[0].train_step(data.batch(), optimizer[0], 0.1)),
              text_of(sessions[1].train_step(data.batch(), optimizer[1], 0.1)));
    ASSERT_EQ(text_of(sessions[0].evaluate(data.batch())), text_of(sessions[1].evaluate(data.batch())));
    ASSERT_EQ(text_of(sessions[0].gradients(data.batch())), text_of(sessions[1].gradients(data.batch())));
  }
  expect_equal_sessions(sessions);
  EXPECT_EQ(sessions[1].draws(), 36u);
}

TEST_P(BackendsOn, ARefusedRunDrawsNothing) {
  Program program = small_mlp();
  program.loss = [forward = program.forward](const ProgramArguments& a) {
    const Value y = forward(a);
    return cross_entropy(mul(y, bernoulli_mask(a.recorder, Keep{a.recorder.shape(y), 0.5})), a.naturals[0]);
  };
  auto sessions = both_backends(GetParam(), program, {.seed = 13});
  initialise(sessions, 2);
  auto optimizer = optimizers(sessions, {Op::adam, Moments{}});
  Rows good(4), bad(4);
  bad.labels[1] = 3;
  for (int step = 0; step < 3; ++step) {
    const auto refused = sessions[0].train_step(bad.batch(), optimizer[0], 0.1);
    ASSERT_FALSE(refused);
    EXPECT_EQ(text_of(refused), text_of(sessions[1].train_step(bad.batch(), optimizer[1], 0.1)));
    ASSERT_EQ(text_of(sessions[0].train_step(good.batch(), optimizer[0], 0.1)),
              text_of(sessions[1].train_step(good.batch(), optimizer[1], 0.1)));
  }
  expect_equal_sessions(sessions);
  EXPECT_EQ(sessions[0].draws(), 3u);
  EXPECT_EQ(optimizer[0].steps(), 3);
  EXPECT_EQ(optimizer[1].steps(), 3);
}

TEST_P(BackendsOn, ALabelOutOfRangeIsAnErrorEvenWhereNobodyNeedsTheOperation) {
  Program program = small_mlp();
  program.loss = [forward = program.forward](const ProgramArguments& a) {
    const Value y = forward(a);
    cross_entropy(y, a.naturals[0]);
    return reduce_mean(mul(y, y));
  };
  auto sessions = both_backends(GetParam(), program, {});
  initialise(sessions, 2);
  auto optimizer = optimizers(sessions, {Op::sgd});
  Rows bad(4);
  bad.labels[3] = 7;
  const std::string expected =
      "[cross_entropy] labels index axis -1 of logits (4, 3): found 7 at position 3, expected less than 3";
  for (const std::size_t i : {0U, 1U}) {
    const auto before = *sessions[i].read_parameters();
    const auto loss = sessions[i].loss(bad.batch());
    const auto step = sessions[i].train_step(bad.batch(), optimizer[i], 0.1);
    const auto gradients = sessions[i].gradients(bad.batch());
    ASSERT_FALSE(loss || step || gradients);
    EXPECT_EQ(loss.error().text, expected);
    EXPECT_EQ(step.error().text, expected);
    EXPECT_EQ(gradients.error().text, expected);
    EXPECT_TRUE(sessions[i].evaluate(bad.batch()));
    EXPECT_EQ(*sessions[i].read_parameters(), before);
  }
}

/// A loss that is the parameter itself, or lies in its storage.
Program bare(std::function<Value(Value)> loss) {
  Program p;
  p.name = "bare";
  p.parameters = {{"p", Shape{1, 1}}};
  p.forward = [](const ProgramArguments& a) { return a.parameters[0]; };
  p.loss = [loss](const ProgramArguments& a) { return loss(a.parameters[0]); };
  return p;
}

TEST_P(BackendsOn, ALossInAParametersStorageIsTheOneBeforeTheUpdate) {
  const auto itself = [](Value p) { return p; };
  const auto renamed = [](Value p) { return reshape(reshape(p, Target{Shape{1}}), Target{Shape{}}); };
  for (const auto& program : {bare(itself), bare(renamed)}) {
    auto sessions = both_backends(GetParam(), program, {});
    auto optimizer = optimizers(sessions, {Op::sgd});
    for (const std::size_t i : {0U, 1U}) {
      const std::vector<double> start{5};
      ASSERT_TRUE(sessions[i].initialise(std::vector<InitialValue>{RealSpan(start)}));
      EXPECT_EQ(text_of(sessions[i].train_step({}, optimizer[i], 0.5)), "5");
      EXPECT_EQ(text_of(sessions[i].train_step({}, optimizer[i], 0.5)), "4.5");
      EXPECT_EQ(text_of(sessions[i].loss({})), "4");
      EXPECT_EQ(text_of(sessions[i].gradients({})), "{ { 1 } }");
      EXPECT_EQ(text_of(sessions[i].evaluate({})), "{ 4 }");
    }
  }
}

TEST_P(BackendsOn, AProgramThatChangesStillGivesTheLossBeforeTheUpdate) {
  for (const bool renames_first : {true, false}) {
    auto calls = std::make_shared<int>(0);
    const Program program = bare([=](Value p) {
      const bool renames = (++*calls == 1) == renames_first;
      return renames ? reshape(p, Target{Shape{}}) : p;
    });
    Session session = session_of(GetParam(), program, {.training_batches = {1}});  // the first call is recorded here
    const std::vector<double> start{5};
    ASSERT_TRUE(session.initialise(std::vector<InitialValue>{RealSpan(start)}));
    auto optimizer = session.init_optim({Op::sgd});
    EXPECT_EQ(text_of(session.train_step({}, *optimizer, 0.5)), "5");
    EXPECT_EQ(text_of(session.train_step({}, *optimizer, 0.5)), "4.5");
  }
}

TEST_P(BackendsOn, MissingCapsulesAreNamedInTheSameWords) {
  SelectionPolicy policy = policy_of(DType::f32);
  policy.provider = {ProviderPolicy::Rule::only, "nobody"};
  const auto refusal = [&](Backend backend, SessionOptions options) {
    options.backend = backend;
    return text_of(Session::create(registry_of(GetParam(), policy), small_mlp(), options));
  };
  const SessionOptions training{.training_batches = {8, 3}, .evaluation_batches = {5}, .optimizer = {{Op::sgd}}};
  EXPECT_EQ(refusal(Backend::eager, training), refusal(Backend::compiled, training));
  EXPECT_NE(refusal(Backend::eager, training).find(" operations have no admissible capsule on "), std::string::npos)
      << refusal(Backend::eager, training);
}

TEST_P(BackendsOn, MissingCapsulesOfUnannouncedShapesAreNamedInTheSameWords) {
  SelectionPolicy policy = policy_of(DType::f32);
  policy.provider = {ProviderPolicy::Rule::only, "nobody"};
  Program program = small_mlp();
  for (ParameterSpec& parameter : program.parameters) parameter.requires_grad = false;
  const Rows data(4);
  std::vector<std::string> texts;
  for (const Backend backend : {Backend::eager, Backend::compiled}) {
    auto session = Session::create(registry_of(GetParam(), policy), program, {.backend = backend});
    ASSERT_TRUE(session) << to_string(session.error());
    auto optimizer = session->init_optim({Op::adam, Moments{}});
    ASSERT_TRUE(optimizer) << to_string(optimizer.error());
    const auto refused = session->train_step(data.batch(), *optimizer, 0.1);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().reason, Reason::NO_CAPSULE);
    texts.push_back(text_of(refused) + text_of(session->loss(data.batch())) + text_of(session->evaluate(data.batch())));
  }
  EXPECT_EQ(texts[0], texts[1]);
}

INSTANTIATE_TEST_SUITE_P(EveryDevice, BackendsOn, testing::ValuesIn(device_kinds()),
                         [](const auto& i) { return i.param; });

}  // namespace
}  // namespace tenon::test
