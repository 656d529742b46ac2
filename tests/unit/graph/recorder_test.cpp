#include <gtest/gtest.h>

#include "leaf.h"
#include "tenon/ops.h"

namespace tenon {
namespace {

TEST(Recorder, RecordsEqualShapesAsTheyAre) {
  Graph graph;
  add(real(graph, {2, 3}), real(graph, {2, 3}));
  ASSERT_EQ(graph.nodes().size(), 1U);
  EXPECT_EQ(graph.nodes()[0].op, Op::add);
}

TEST(Recorder, RepeatsOnlyTheOperandThatIsSmaller) {
  Graph graph;
  const Value x = real(graph, {2, 3}), bias = real(graph, Shape{3});
  const Value y = add(x, bias);
  ASSERT_EQ(graph.nodes().size(), 2U);
  EXPECT_EQ(graph.nodes()[0].op, Op::broadcast);
  EXPECT_EQ(graph.nodes()[0].operand[0], bias.id);
  EXPECT_EQ(std::get<Target>(graph.nodes()[0].attributes).shape, (Shape{2, 3}));
  EXPECT_EQ(graph.nodes()[1].operand[0], x.id);
  EXPECT_EQ(graph.nodes()[1].operand[1], graph.nodes()[0].output);
  EXPECT_EQ(graph.shape(y), (Shape{2, 3}));
}

TEST(Recorder, RepeatsBothOperandsWhereBothAreSmaller) {
  Graph graph;
  const Value y = mul(real(graph, {3, 1}), real(graph, Shape{4}));
  ASSERT_EQ(graph.nodes().size(), 3U);
  EXPECT_EQ(graph.shape(y), (Shape{3, 4}));
}

TEST(Recorder, DoesNotRepeatOperandsOfOtherOperations) {
  Graph graph;
  relu_grad(real(graph, {2, 3}), real(graph, Shape{3}));
  EXPECT_EQ(graph.status().error().text,
            "[relu_grad] x (2, 3), upstream (3): shapes (2, 3) and (3) differ, expected equal ones");
}

TEST(Recorder, KeepsTheFirstErrorAndIsInertAfterIt) {
  Graph graph;
  const Value x = real(graph, {2, 3}), y = real(graph, {2, 4});
  const Value sum = add(x, y);
  matmul(sum, x);
  softmax(real(graph, Shape{}));
  EXPECT_TRUE(graph.nodes().empty());
  ASSERT_FALSE(graph.status());
  EXPECT_EQ(graph.status().error().reason, Reason::SHAPE_MISMATCH);
  EXPECT_EQ(graph.status().error().text,
            "[add] left (2, 3), right (2, 4): extents 3 and 4 at axis -1 do not broadcast");
}

TEST(Recorder, RefusesAValueThatAnotherOneRecorded) {
  Graph graph, other;
  add(real(graph, {2, 3}), real(other, {2, 3}));
  ASSERT_FALSE(graph.status());
  EXPECT_EQ(graph.status().error().reason, Reason::INVALID_ARGUMENT);
  EXPECT_EQ(graph.status().error().text,
            "[add] left (2, 3), right of another recording: found a value that another session, perhaps on another "
            "device, recorded, expected values of one");
  EXPECT_TRUE(other.status());
}

TEST(Recorder, AProgramOfSourcesAloneSurvivesAnError) {
  Graph graph;
  const Value nothing = fill(graph, Constant{{-1, 2}, 0});
  EXPECT_EQ(graph.shape(neg(nothing)), Shape{});
  EXPECT_EQ(graph.status().error().text, "[fill] shape (dyn, 2) has an unknown extent");
}

TEST(Recorder, RefusesCountsAndKinds) {
  Graph graph;
  const Value x = real(graph, {2, 3});
  linear(x, x);
  EXPECT_EQ(graph.status().error().text, "[linear] takes x, weight, bias: found 2 operands, expected 3");

  Graph other;
  cross_entropy(real(other, {2, 3}), real(other, Shape{2}));
  EXPECT_EQ(other.status().error().text, "[cross_entropy] labels (2): found real numbers, expected natural ones");

  Graph many;
  const Value v = real(many, Shape{1});
  add(v, v, v, v, v, v);
  EXPECT_EQ(many.status().error().text, "[add] takes left, right: found 6 operands, expected 2");
}

TEST(Recorder, RefusesAttributesThatLeaveTheResultOpen) {
  Graph graph;
  broadcast(real(graph, Shape{3}), Target{{batch, 3}});
  EXPECT_EQ(graph.status().error().text, "[broadcast] the attributes leave the result (batch, 3) unknown");
}

TEST(Recorder, IsFineWithoutError) {
  Graph graph;
  relu(real(graph, {2, 3}));
  EXPECT_TRUE(graph.status());
  EXPECT_FALSE(graph.failed());
}

}  // namespace
}  // namespace tenon
