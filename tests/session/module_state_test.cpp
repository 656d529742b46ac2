// Tensors that a program itself updates, with every device and backend.
#include "session/both_backends.h"
#include "session/where.h"

namespace tenon::test {
namespace {

class ModuleStateOn : public testing::TestWithParam<Where> {
 protected:
  Session session_of_program(const Program& program) {
    Session session = session_of(GetParam(), program, {});
    EXPECT_TRUE(session.initialise(initial_values(program, 1)));
    return session;
  }
  static std::vector<float> state(Session& session, std::size_t i) { return floats((*session.read_states())[i]); }
};

using Update = std::function<void(const ProgramArguments&)>;

/// A weight of two elements, an input of two, states; the loss is the mean of their product, after `update` in
/// training.
Program with_states(std::vector<StateSpec> states, Update update) {
  Program p;
  p.name = "with_states";
  p.parameters = {{"w", Shape{2}}};
  p.inputs = {{"x", Kind::real, Shape{2}}};
  p.forward_reals = 1;
  p.states = std::move(states);
  p.forward = [](const ProgramArguments& a) { return mul(a.reals[0], a.states[0]); };
  p.loss = [update](const ProgramArguments& a) {
    if (a.recorder.training()) update(a);
    return reduce_mean(mul(a.reals[0], a.parameters[0]));
  };
  return p;
}

Batch two(const std::vector<double>& x) { return {1, {x}, {}}; }

const std::vector<double> ones{1, 1}, pair{3, 5};

void running_mean(const ProgramArguments& a) {
  a.recorder.update_state(a.states[0], add(scale(a.states[0], Factor{0.5}), scale(a.reals[0], Factor{0.5})));
}

TEST_P(ModuleStateOn, IsUpdatedByTrainingAndNotByEvaluation) {
  Session session = session_of_program(with_states({{"mean", Shape{2}, 1}}, running_mean));
  auto optimizer = session.init_optim({Op::sgd});
  EXPECT_EQ(state(session, 0), (std::vector<float>{1, 1}));
  ASSERT_TRUE(session.train_step(two(pair), *optimizer, 0.1));
  EXPECT_EQ(state(session, 0), (std::vector<float>{2, 3}));
  ASSERT_TRUE(session.loss(two(pair)));
  EXPECT_EQ(*session.evaluate(two(ones)), (std::vector<double>{2, 3}));
  EXPECT_EQ(state(session, 0), (std::vector<float>{2, 3}));
  ASSERT_TRUE(session.training_loss(two(pair)));
  EXPECT_EQ(state(session, 0), (std::vector<float>{2.5, 4}));
  ASSERT_TRUE(session.gradients(two(pair)));
  EXPECT_EQ(state(session, 0), (std::vector<float>{2.75, 4.5}));
}

TEST_P(ModuleStateOn, TwoStatesCanBeSwapped) {
  Session session =
      session_of_program(with_states({{"a", Shape{2}, 1}, {"b", Shape{2}, 2}}, [](const ProgramArguments& a) {
        a.recorder.update_state(a.states[0], a.states[1]);
        a.recorder.update_state(a.states[1], a.states[0]);
      }));
  auto optimizer = session.init_optim({Op::adam, Moments{}});
  for (const float first : {2.f, 1.f, 2.f}) {
    ASSERT_TRUE(session.train_step(two(pair), *optimizer, 0.1));
    EXPECT_EQ(state(session, 0), (std::vector<float>{first, first}));
    EXPECT_EQ(state(session, 1), (std::vector<float>{3 - first, 3 - first}));
  }
}

TEST_P(ModuleStateOn, OfTwoUpdatesTheLastCounts) {
  Session session = session_of_program(with_states({{"a", Shape{2}, 1}}, [](const ProgramArguments& a) {
    a.recorder.update_state(a.states[0], scale(a.reals[0], Factor{7}));
    a.recorder.update_state(a.states[0], scale(a.states[0], Factor{2}));
  }));
  ASSERT_TRUE(session.training_loss(two(pair)));
  ASSERT_TRUE(session.training_loss(two(pair)));
  EXPECT_EQ(state(session, 0), (std::vector<float>{4, 4}));
}

TEST_P(ModuleStateOn, TakesLeavesAndTheirOtherShapes) {
  Session session = session_of_program(
      with_states({{"input", Shape{2}}, {"column", Shape{2, 1}}, {"weight", Shape{2}}, {"row", Shape{1, 2}}},
                  [](const ProgramArguments& a) {
                    a.recorder.update_state(a.states[0], a.reals[0]);
                    a.recorder.update_state(a.states[1], reshape(a.reals[0], Target{Shape{2, 1}}));
                    a.recorder.update_state(a.states[2], a.parameters[0]);
                    a.recorder.update_state(
                        a.states[3], reshape(reshape(a.parameters[0], Target{Shape{2, 1}}), Target{Shape{1, 2}}));
                  }));
  auto optimizer = session.init_optim({Op::sgd});
  const std::vector<float> before = floats((*session.read_parameters())[0]);
  ASSERT_TRUE(session.train_step(two(pair), *optimizer, 0.5));
  EXPECT_EQ(state(session, 0), (std::vector<float>{3, 5}));
  EXPECT_EQ(state(session, 1), (std::vector<float>{3, 5}));
  EXPECT_EQ(state(session, 2), before);  // what the weight was when the program ran
  EXPECT_EQ(state(session, 3), before);
  EXPECT_NE(floats((*session.read_parameters())[0]), before);
}

TEST_P(ModuleStateOn, GoesOnInAnotherSession) {
  const Program program = with_states({{"mean", Shape{2}, 1}}, running_mean);
  Session first = session_of_program(program), second = session_of(GetParam(), program, {});
  ASSERT_TRUE(first.training_loss(two(pair)));
  ASSERT_TRUE(second.set_states(*first.read_states()));
  ASSERT_TRUE(second.set_parameters(*first.read_parameters()));
  EXPECT_EQ(*first.training_loss(two(ones)), *second.training_loss(two(ones)));
  EXPECT_EQ(*first.read_states(), *second.read_states());
  EXPECT_EQ(state(second, 0), (std::vector<float>{1.5, 2}));
}

TEST_P(ModuleStateOn, StaysAsItIsWhenARunOrAValueIsRefused) {
  Session session = session_of_program(with_states({{"mean", Shape{2}, 1}}, running_mean));
  const std::vector<double> short_of_one{1};
  EXPECT_EQ(session.training_loss(two(short_of_one)).error().text, "[session] input x (2): found 1 values, expected 2");
  EXPECT_EQ(session.set_states(std::vector<std::vector<std::byte>>{}).error().text,
            "[session] found 0 states, expected 1, one for each of with_states");
  EXPECT_EQ(session.set_states(std::vector<std::vector<std::byte>>(1, std::vector<std::byte>(4))).error().text,
            "[session] state mean: found 4 bytes, expected 8");
  EXPECT_EQ(state(session, 0), (std::vector<float>{1, 1}));
}

TEST_P(ModuleStateOn, RefusesAValueOfAnotherShape) {
  Session session = session_of_program(with_states({{"mean", Shape{2}}}, [](const ProgramArguments& a) {
    a.recorder.update_state(a.states[0], reduce_mean(a.reals[0]));
  }));
  EXPECT_EQ(session.training_loss(two(pair)).error().text,
            "[update_state] state (2): found the new value (), expected the state's shape\n"
            "  while the program of with_states was recorded on " +
                session.device().name() + ", real numbers as f32");
}

TEST_P(ModuleStateOn, AnUpdateInASteadyProgramMayBeNeededByNothingElse) {
  Session session = session_of_program(with_states({{"noise", Shape{2}}}, [](const ProgramArguments& a) {
    a.recorder.update_state(a.states[0], rand_uniform(a.recorder, Sized{Shape{2}}));
  }));
  auto optimizer = session.init_optim({Op::sgd});
  ASSERT_TRUE(session.train_step(two(pair), *optimizer, 0.5));
  const auto first = state(session, 0);
  ASSERT_TRUE(session.train_step(two(pair), *optimizer, 0.5));
  EXPECT_NE(state(session, 0), first);
  EXPECT_NE(first, (std::vector<float>{0, 0}));
}

INSTANTIATE_TEST_SUITE_P(Everywhere, ModuleStateOn, testing::ValuesIn(everywhere()), name_of);

}  // namespace
}  // namespace tenon::test
