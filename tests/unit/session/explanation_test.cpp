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

}  // namespace
}  // namespace tenon::test
