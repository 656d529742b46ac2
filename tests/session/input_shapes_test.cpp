// Inputs of any shape, with every device and backend.
#include "session/both_backends.h"
#include "session/where.h"

namespace tenon::test {
namespace {

constexpr Extent words = extent("words");

/// A table of words weighted by a parameter, a mask over them, something of any length, and labels.
Program sentences() {
  Program p;
  p.name = "sentences";
  p.parameters = {{"w", Shape{3, 2}}, {"b", Shape{3}}};
  p.inputs = {{"x", Kind::real, Shape{batch, words, 2}},
              {"mask", Kind::real, Shape{batch, words}},
              {"extra", Kind::real, Shape{dyn}},
              {"label", Kind::natural, Shape{batch, words}}};
  p.forward_reals = 3;
  p.forward = [](const ProgramArguments& a) {
    const Value y = linear(a.reals[0], a.parameters[0], a.parameters[1]);
    const Shape mask = a.recorder.shape(a.reals[1]);
    const Value masked = mul(y, reshape(a.reals[1], Target{mask + Shape{1}}));
    return add(masked, reduce_sum(a.reals[2]));
  };
  p.loss = [forward = p.forward](const ProgramArguments& a) { return cross_entropy(forward(a), a.naturals[0]); };
  return p;
}

struct Sentences {
  std::vector<double> x, mask, extra;
  std::vector<std::uint32_t> labels;
  std::vector<Shape> shapes;

  Sentences(Extent rows, Extent length, Extent more) {
    for (Extent i = 0; i < 2 * rows * length; ++i) x.push_back(sample_at(init::Uniform{-1, 1, 4}, std::uint64_t(i)));
    for (Extent i = 0; i < rows * length; ++i) mask.push_back(double(i % 2)), labels.push_back(std::uint32_t(i % 3));
    extra.assign(std::size_t(more), 0.5);
    shapes = {{rows, length, Extent{2}}, {rows, length}, Shape{more}, {rows, length}};
  }
  Batch batch() const { return {0, {x, mask, extra}, {labels}, shapes}; }
};

class InputShapesOn : public testing::TestWithParam<Where> {
 protected:
  Session sentence_session() {
    Session session = session_of(GetParam(), sentences(), {});
    EXPECT_TRUE(session.initialise(initial_values(session.program(), 1)));
    return session;
  }
};

TEST_P(InputShapesOn, ServesEveryCombinationOfExtents) {
  Session session = sentence_session();
  auto optimizer = session.init_optim({Op::adam, Moments{}});
  auto eager = session_of(Where{"cpu", Backend::eager}, sentences(), {});
  ASSERT_TRUE(eager.initialise(initial_values(eager.program(), 1)));
  auto eager_optimizer = eager.init_optim({Op::adam, Moments{}});
  for (const auto& [rows, length, more] :
       {std::array<Extent, 3>{2, 3, 4}, {1, 1, 0}, {5, 2, 1}, {2, 3, 4}, {2, 4, 3}}) {
    const Sentences data(rows, length, more);
    const auto loss = session.train_step(data.batch(), *optimizer, 0.1);
    ASSERT_TRUE(loss) << to_string(loss.error());
    EXPECT_EQ(text_of(loss), text_of(eager.train_step(data.batch(), *eager_optimizer, 0.1)));
    const auto output = session.evaluate(data.batch());
    ASSERT_TRUE(output) << to_string(output.error());
    EXPECT_EQ(session.result_shape(), (Shape{rows, length, Extent{3}}));
    EXPECT_EQ(text_of(output), text_of(eager.evaluate(data.batch())));
  }
  EXPECT_EQ(*session.read_parameters(), *eager.read_parameters());
}

TEST_P(InputShapesOn, RefusesWhatDoesNotFitAndChangesNothing) {
  Session session = sentence_session();
  auto optimizer = session.init_optim({Op::momentum, Momentum{}});
  const Sentences good(2, 3, 4);
  ASSERT_TRUE(session.train_step(good.batch(), *optimizer, 0.1));
  const auto before = *session.read_parameters();
  const auto refusal = [&](auto change) {
    Batch batch = good.batch();
    change(batch);
    const auto refused = session.train_step(batch, *optimizer, 0.1);
    EXPECT_FALSE(refused);
    EXPECT_EQ(text_of(session.loss(batch)), text_of(refused));
    return refused ? "accepted" : refused.error().text;
  };
  EXPECT_EQ(refusal([](Batch& b) {
              b.shapes[0] = Shape{2, 3};
            }),
            "[session] input x: found (2, 3), expected (batch, words, 2)");
  EXPECT_EQ(refusal([](Batch& b) {
              b.shapes[0] = Shape{2, 2, 3};
            }),
            "[session] input x: found (2, 2, 3), expected (batch, words, 2)");
  EXPECT_EQ(refusal([](Batch& b) {
              b.shapes[1] = Shape{3, 2};
            }),
            "[session] batch: found 3 in input mask, expected 2 as in input x");
  EXPECT_EQ(refusal([](Batch& b) {
              b.shapes[3] = Shape{2, 4};
            }),
            "[session] words: found 4 in input label, expected 3 as in input x");
  EXPECT_EQ(refusal([](Batch& b) { b.shapes[2] = Shape{dyn}; }), "[session] input extra: found (dyn), expected (dyn)");
  EXPECT_EQ(refusal([](Batch& b) { b.shapes[2] = Shape{5}; }), "[session] input extra (5): found 4 values, expected 5");
  EXPECT_EQ(refusal([](Batch& b) { b.shapes.pop_back(); }),
            "[session] batch: found 3 shapes, expected 4, one for each input");
  EXPECT_EQ(refusal([](Batch& b) { b.shapes.clear(), b.rows = 2; }),
            "[session] input x: found no shape, expected (batch, words, 2)");
  EXPECT_EQ(refusal([](Batch& b) { b.naturals.clear(), b.shapes.pop_back(); }),
            "[session] input label is missing from the batch");
  EXPECT_EQ(*session.read_parameters(), before);
  EXPECT_EQ(optimizer->steps(), 1);
  EXPECT_TRUE(session.train_step(good.batch(), *optimizer, 0.1));
}

TEST_P(InputShapesOn, RefusesShapesThatTheProgramCannotTakeInItsWords) {
  Program program = sentences();
  program.forward = [](const ProgramArguments& a) { return mul(a.reals[1], a.reals[2]); };
  program.loss = [forward = program.forward](const ProgramArguments& a) { return reduce_sum(forward(a)); };
  Session session = session_of(GetParam(), program, {});
  const Sentences fits(2, 3, 3), does_not(2, 3, 4);
  EXPECT_TRUE(session.loss(fits.batch()));
  const std::string expected =
      "[mul] left (2, 3), right (4): extents 3 and 4 at axis -1 do not broadcast\n"
      "  while the program of sentences was recorded on " +
      session.device().name() + ", real numbers as f32";
  EXPECT_EQ(session.loss(does_not.batch()).error().text, expected);
  EXPECT_EQ(session.evaluate(does_not.batch()).error().text, expected);
  EXPECT_EQ(session.gradients(does_not.batch()).error().text, expected);
}

TEST_P(InputShapesOn, ServesMoreShapesThanItRemembers) {
  Session session = sentence_session();
  auto optimizer = session.init_optim({Op::sgd});
  const Sentences first(1, 2, 1);
  const auto output = *session.evaluate(first.batch());
  for (Extent length = 1; length <= 300; ++length) {
    const Sentences data(1, 2, length);
    ASSERT_TRUE(session.evaluate(data.batch())) << length;
  }
  EXPECT_EQ(*session.evaluate(first.batch()), output);
  for (Extent length = 1; length <= 300; ++length) {
    const Sentences data(1, 1, length);
    ASSERT_TRUE(session.train_step(data.batch(), *optimizer, 0.0)) << length;
  }
  EXPECT_EQ(*session.evaluate(first.batch()), output);
}

TEST_P(InputShapesOn, RefusedShapesDoNotMakeItForgetTheLastResult) {
  Session session = sentence_session();
  const Sentences good(1, 2, 1);
  ASSERT_TRUE(session.evaluate(good.batch()));
  for (Extent length = 2; length <= 300; ++length) {
    Batch batch = good.batch();
    batch.shapes[2] = Shape{length};
    ASSERT_FALSE(session.evaluate(batch));
  }
  EXPECT_EQ(session.result_shape(), (Shape{1, 2, 3}));
}

INSTANTIATE_TEST_SUITE_P(Everywhere, InputShapesOn, testing::ValuesIn(everywhere()), name_of);

}  // namespace
}  // namespace tenon::test
