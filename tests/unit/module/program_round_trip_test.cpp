#include "program_texts.h"
#include "tenon/batch_statistics.h"
#include "tenon/ops.h"

namespace tenon {
namespace {

/// Normalises (batch, 16), by the batch in training.
Program normalised(const Shape& input) {
  const auto layer = [](const ProgramArguments& a) {
    const auto [mean, variance] = batch_statistics(a.reals[0], a.states[0], a.states[1]);
    return batch_norm(a.reals[0], mean, variance, a.parameters[0], a.parameters[1]);
  };
  return {.name = "normalised",
          .parameters = {{"weight", Shape(16)}, {"bias", Shape(16)}},
          .inputs = {{"x", Kind::real, input}},
          .forward_reals = 1,
          .forward_naturals = 0,
          .forward = layer,
          .loss = [layer](const ProgramArguments& a) { return reduce_mean(layer(a)); },
          .states = {{"mean", Shape(16), 0}, {"variance", Shape(16), 1}}};
}

TEST(ProgramText, PrintsBatchNormalisationForTheNumbersGivenOrTwo) {
  for (const Shape& input : {Shape{batch, 16}, Shape{batch, 16, 3}, Shape{4, 16, dyn}, Shape{5, 16}}) {
    const std::string text = text_of(normalised(input));
    EXPECT_NE(text.find("loss training\n"), std::string::npos) << text;
    EXPECT_EQ(text.find("batch,"), std::string::npos) << text;
    EXPECT_EQ(text_of(parsed(text)), text);
  }
  EXPECT_NE(text_of(normalised({batch, 16})).find("input x : (2, 16)\n"), std::string::npos);
  // 0.1 of the way, towards 2 / (2 - 1) of the variance
  EXPECT_NE(text_of(normalised({batch, 16})).find("{factor=0.2}"), std::string::npos);
  const std::vector<BoundExtent> eight{{batch, 8}}, one{{batch, 1}};
  EXPECT_NE(to_text(normalised({batch, 16}), eight).value_or("").find("input x : (8, 16)\n"), std::string::npos);
  const auto refused = to_text(normalised({batch, 16}), one);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().text,
            "[batch_norm] x (1, 16): found 1 number for each channel, expected at least 2 in training");
}

/// What parses back, taking what forward took.
void expect_same_again(const Program& program, std::string_view heading) {
  const std::string text = text_of(program);
  EXPECT_NE(text.find("\n" + std::string(heading) + "\n"), std::string::npos) << text;
  const Program again = parsed(text);
  EXPECT_EQ(again.forward_reals, program.forward_reals) << text;
  EXPECT_EQ(again.forward_naturals, program.forward_naturals) << text;
  EXPECT_EQ(text_of(again), text);
}

TEST(ProgramText, ReadsBackHowManyInputsForwardTakes) {
  const auto first = [](const ProgramArguments& a) { return neg(a.reals[0]); };
  Program program{.name = "takes",
                  .parameters = {{"w", Shape(3)}},
                  .inputs = {{"x", Kind::real, {batch, 2}},
                             {"y", Kind::real, {batch, 3}},
                             {"label", Kind::natural, Shape(batch)},
                             {"weights", Kind::natural, Shape(batch)}},
                  .forward_reals = 1,
                  .forward_naturals = 0,
                  .forward = first,
                  .loss = [](const ProgramArguments& a) { return cross_entropy(a.reals[1], a.naturals[0]); },
                  .states = {{"s", Shape(3)}}};
  expect_same_again(program, "forward");
  program.forward_reals = 2;
  expect_same_again(program, "forward takes (%2, %3)");
  program.forward_naturals = 2;
  expect_same_again(program, "forward takes (%2, %3, %4, %5)");
  program.forward_reals = 1;
  expect_same_again(program, "forward takes (%2, %4, %5)");
  program.forward = [](const ProgramArguments& a) { return gather(a.parameters[0], a.naturals[1]); };
  expect_same_again(program, "forward takes (%2, %4, %5)");
  program.forward_reals = 0;
  expect_same_again(program, "forward takes (%4, %5)");  // the loss uses %4 too, forward does not
  program.forward = [](const ProgramArguments& a) { return neg(a.parameters[0]); };
  expect_same_again(program, "forward takes (%4, %5)");
  program.forward_naturals = 0;
  expect_same_again(program, "forward");
}

TEST(ProgramText, ReadsBackAnInputThatOnlyGivesItsExtent) {
  Program program{.name = "extent",
                  .parameters = {},
                  .inputs = {{"x", Kind::real, {batch, 2}}},
                  .forward_reals = 1,
                  .forward_naturals = 0,
                  .forward =
                      [](const ProgramArguments& a) {
                        return fill(a.recorder, Constant{Shape{a.recorder.shape(a.reals[0])[0], 3}, 0.5});
                      },
                  .loss = {},
                  .states = {}};
  expect_same_again(program, "forward takes (%0)");
  Recorded out;
  const Program again = parsed(text_of(program));
  record(out, again, false, std::vector<Shape>{{7, 2}});
  ASSERT_TRUE(out.graph.status()) << out.graph.status().error().text;
  EXPECT_EQ(out.graph.shape(out.result), (Shape{7, 3}));
}

}  // namespace
}  // namespace tenon
