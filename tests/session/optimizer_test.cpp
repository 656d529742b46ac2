// What an optimizer remembers, and first values, with every device and backend.
#include "session/both_backends.h"
#include "session/where.h"

namespace tenon::test {
namespace {

class OptimizerOn : public testing::TestWithParam<Where> {
 protected:
  Session mlp_session(std::uint64_t seed = 1) {
    Session session = session_of(GetParam(), small_mlp(), {});
    EXPECT_TRUE(session.initialise(initial_values(session.program(), seed)));
    return session;
  }
  static void train(Session& session, Optimizer& optimizer, int steps) {
    const Rows data(7);
    for (int i = 0; i < steps; ++i) ASSERT_TRUE(session.train_step(data.batch(), optimizer, 0.05));
  }
};

TEST_P(OptimizerOn, TenStepsAreFiveAndFiveInAnotherSession) {
  for (const OpSpec& row : all_ops()) {
    if (row.role != Role::update) continue;
    SCOPED_TRACE(row.name);
    const OptimizerSpec spec{row.op, row.defaults};
    Session whole = mlp_session(), first = mlp_session(), second = mlp_session(9);
    auto all = whole.init_optim(spec), before = first.init_optim(spec), after = second.init_optim(spec);
    ASSERT_TRUE(all && before && after);
    train(whole, *all, 10);
    train(first, *before, 5);
    train(second, *after, 2);  // what is there is replaced
    ASSERT_TRUE(second.set_parameters(*first.read_parameters()));
    ASSERT_TRUE(second.set_optimizer(*after, *first.read_optimizer(*before)));
    EXPECT_EQ(after->steps(), 5);
    train(second, *after, 5);
    EXPECT_EQ(after->steps(), 10);
    EXPECT_EQ(*second.read_parameters(), *whole.read_parameters());
  }
}

TEST_P(OptimizerOn, SeveralOptimizersKeepTheirOwnMoments) {
  Session session = mlp_session(), other = mlp_session();
  const auto adam = [](Session& s) { return *s.init_optim({Op::adam, Moments{}}); };
  Optimizer a = adam(session), b = adam(session), c = adam(other);
  train(session, a, 1);
  train(session, b, 1);
  train(session, a, 1);
  EXPECT_EQ(a.steps(), 2);
  EXPECT_EQ(b.steps(), 1);
  ASSERT_TRUE(other.set_parameters(*mlp_session().read_parameters()));
  train(other, c, 1);
  Optimizer d = adam(other);
  train(other, d, 1);
  train(other, c, 1);
  EXPECT_EQ(*session.read_parameters(), *other.read_parameters());
}

TEST_P(OptimizerOn, OfAnotherSessionIsRefused) {
  Session session = mlp_session(), other = mlp_session();
  auto theirs = other.init_optim({Op::adam, Moments{}});
  const Rows data(7);
  const std::string expected = "[optimizer] adam: found another session's parameters, expected those it was made for";
  EXPECT_EQ(session.train_step(data.batch(), *theirs, 0.1).error().text, expected);
  EXPECT_EQ(session.read_optimizer(*theirs).error().text, expected);
  EXPECT_EQ(session.set_optimizer(*theirs, {}).error().text, expected);
}

TEST_P(OptimizerOn, ASnapshotOfSomethingElseIsRefusedAndChangesNothing) {
  Session session = mlp_session();
  auto optimizer = session.init_optim({Op::adam, Moments{}});
  train(session, *optimizer, 2);
  const OptimizerSnapshot good = *session.read_optimizer(*optimizer);
  const auto refusal = [&](auto change) {
    OptimizerSnapshot bad = good;
    bad.steps = 7;
    change(bad);
    const auto refused = session.set_optimizer(*optimizer, bad);
    EXPECT_FALSE(refused);
    const OptimizerSnapshot now = *session.read_optimizer(*optimizer);
    EXPECT_EQ(now.steps, 2);
    for (std::size_t i = 0; i < good.moments.size(); ++i) EXPECT_EQ(now.moments[i].bytes, good.moments[i].bytes);
    return refused ? "accepted" : refused.error().text;
  };
  EXPECT_EQ(refusal([](OptimizerSnapshot& s) { s.moments.pop_back(); }),
            "[optimizer] adam: found 7 moments and 7 steps, expected 8 moments and 0 steps or more");
  EXPECT_EQ(refusal([](OptimizerSnapshot& s) { s.steps = -1; }),
            "[optimizer] adam: found 8 moments and -1 steps, expected 8 moments and 0 steps or more");
  EXPECT_EQ(refusal([](OptimizerSnapshot& s) { s.moments[7].bytes.pop_back(); }),
            "[optimizer] found v of b2 with 11 bytes, expected v of b2 with 12");
  EXPECT_EQ(refusal([](OptimizerSnapshot& s) { std::swap(s.moments[0], s.moments[1]); }),
            "[optimizer] found v of w1 with 48 bytes, expected m of w1 with 48");
}

TEST_P(OptimizerOn, RefusesWhatIsNoUpdateBeforeAnyStep) {
  Session session = mlp_session();
  const auto refusal = [&](const OptimizerSpec& spec) {
    const auto refused = session.init_optim(spec);
    const auto at_creation = Session::create(registry_of(GetParam().device, policy_of(DType::f32)), small_mlp(),
                                             {.backend = GetParam().backend, .optimizer = spec});
    EXPECT_FALSE(refused || at_creation);
    EXPECT_EQ(text_of(at_creation), to_string(refused.error()));
    EXPECT_EQ(refused.error().reason, Reason::INVALID_ARGUMENT);
    return refused.error().text;
  };
  EXPECT_EQ(refusal({Op::add}), "[optimizer] found operation add, expected an update");
  EXPECT_EQ(refusal({Op::adam}), "[adam] found the attributes of another operation");
  EXPECT_EQ(refusal({Op::momentum, Momentum{-1}}),
            "[momentum] parameter (), gradient (), velocity (): momentum must be 0 or more");
  EXPECT_EQ(refusal({Op::adamw, Moments{.beta2 = 1}}),
            "[adamw] parameter (), gradient (), m (), v (): beta1 and beta2 must lie in [0, 1)");
}

std::vector<InitialValue> mixed(const std::vector<double>& bias, const std::vector<float>& weight) {
  const std::vector<SourceInit> drawn = initial_values(small_mlp(), 4);
  return {drawn[0], RealSpan(bias), RealSpan(weight), drawn[3]};
}

TEST_P(OptimizerOn, InitialValuesMayBeDrawnOrGiven) {
  Session session = mlp_session();
  const std::vector<double> bias{1, 2, 3, 4};
  const std::vector<float> weight(12, 0.25f);
  ASSERT_TRUE(session.initialise(mixed(bias, weight)));
  const auto values = *session.read_parameters();
  EXPECT_EQ(values[0], (*mlp_session(4).read_parameters())[0]);
  EXPECT_EQ(floats(values[1]), (std::vector<float>{1, 2, 3, 4}));
  EXPECT_EQ(floats(values[2]), weight);
  EXPECT_EQ(values[3], (*mlp_session(4).read_parameters())[3]);
}

TEST_P(OptimizerOn, InitialValuesAreAllOrNothing) {
  Session session = mlp_session();
  const auto before = *session.read_parameters();
  const std::vector<double> bias{1, 2, 3, 4}, short_of_one{1, 2, 3};
  const std::vector<float> weight(12, 0.25f), long_by_one(13);
  EXPECT_EQ(session.initialise(mixed(short_of_one, weight)).error().text,
            "[session] initial value of b1: found 3 values, expected 4");
  EXPECT_EQ(session.initialise(mixed(bias, long_by_one)).error().text,
            "[session] initial value of w2: found 13 values, expected 12");
  std::vector<InitialValue> values = mixed(bias, weight);
  values[3] = initial_values(small_mlp(), 4)[0];
  EXPECT_EQ(session.initialise(values).error().text, "[session] initial value of b2: found (4, 3), expected (3)");
  values.pop_back();
  EXPECT_EQ(session.initialise(values).error().text,
            "[session] found 3 initial values, expected 4, one for each of small_mlp");
  EXPECT_EQ(*session.read_parameters(), before);
}

INSTANTIATE_TEST_SUITE_P(Everywhere, OptimizerOn, testing::ValuesIn(everywhere()), name_of);

}  // namespace
}  // namespace tenon::test
