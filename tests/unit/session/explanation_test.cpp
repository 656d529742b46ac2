#include "tenon/explanation.h"

#include <gtest/gtest.h>

#include <new>

#include "session/small_mlp.h"

namespace tenon::test {
namespace {

const std::vector<Shape> four_rows{{4, 3}, Shape{4}};

TEST(Explanation, AProgramWithoutForwardIsRefusedInWords) {
  Program program = small_mlp();
  program.forward = {};
  const auto recorded = record_forward(program, four_rows);
  ASSERT_FALSE(recorded);
  EXPECT_EQ(recorded.error().reason, Reason::INVALID_ARGUMENT);
  EXPECT_EQ(recorded.error().text, "[session] program small_mlp: found no forward program, expected one to evaluate");
  EXPECT_TRUE(record_training(program, four_rows));
}

TEST(Explanation, AProgramWithoutLossIsRefusedInWords) {
  Program program = small_mlp();
  program.loss = {};
  const auto recorded = record_training(program, four_rows);
  ASSERT_FALSE(recorded);
  EXPECT_EQ(recorded.error().reason, Reason::INVALID_ARGUMENT);
  EXPECT_EQ(recorded.error().text,
            "[session] program small_mlp: found no loss, expected one to train and differentiate");
  EXPECT_TRUE(record_forward(program, four_rows));
}

TEST(Explanation, HostMemoryThatRunsOutIsAnError) {
  Program program = small_mlp();
  program.forward = program.loss = [](const ProgramArguments&) -> Value { throw std::bad_alloc(); };
  for (const auto& recorded : {record_forward(program, four_rows), record_training(program, four_rows)}) {
    ASSERT_FALSE(recorded);
    EXPECT_EQ(recorded.error().reason, Reason::OUT_OF_MEMORY);
    EXPECT_EQ(recorded.error().text, "[explain] the host has no memory left");
  }
}

TEST(Explanation, AnotherNumberOfInputsIsRefused) {
  const auto recorded = record_forward(small_mlp(), std::span(four_rows).first(1));
  ASSERT_FALSE(recorded);
  EXPECT_EQ(recorded.error().text, "[explain] found the extents of 1 inputs, expected 2");
}

TEST(Explanation, HasTheGradientsOfTrainedParametersOnly) {
  Program program = small_mlp();
  const auto all = record_training(program, four_rows);
  program.parameters[0].requires_grad = false;
  const auto fewer = record_training(program, four_rows);
  ASSERT_TRUE(all && fewer);
  EXPECT_LT(fewer->graph.nodes().size(), all->graph.nodes().size());
}

TEST(Explanation, OfOneOperationTakesTheRowsKinds) {
  const std::vector<Shape> operands{{4, 3}, Shape{4}};
  const auto recorded = record_operation(spec(Op::cross_entropy), operands, spec(Op::cross_entropy).defaults, false);
  ASSERT_TRUE(recorded) << recorded.error().text;
  EXPECT_EQ(recorded->graph.types()[0].kind, Kind::real);
  EXPECT_EQ(recorded->graph.types()[1].kind, Kind::natural);
  EXPECT_EQ(recorded->result, 2u);
  const auto asked = explain(recorded->graph, {DType::f32, GradientMode::training});
  ASSERT_TRUE(asked);
  EXPECT_EQ(to_string(asked->at(0).request), "cross_entropy(logits f32 (4, 3), labels u32 (4)) -> f32 ()");
  EXPECT_EQ(asked->at(0).request.mode, GradientMode::training);
  EXPECT_EQ(asked->at(0).choice.capsule, nullptr);
}

TEST(Explanation, OfOneOperationRefusesAnyNumberOfOperands) {
  const std::vector<Shape> many(9, Shape{4});
  for (const std::size_t count : {0u, 1u, 3u, 9u}) {
    const auto recorded = record_operation(spec(Op::add), std::span(many).first(count), {}, false);
    ASSERT_FALSE(recorded) << count;
    EXPECT_EQ(recorded.error().reason, Reason::SHAPE_MISMATCH);
    EXPECT_TRUE(recorded.error().text.starts_with("[add] ")) << recorded.error().text;
  }
}

}  // namespace
}  // namespace tenon::test
