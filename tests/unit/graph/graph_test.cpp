#include "tenon/graph.h"

#include <gtest/gtest.h>

#include "leaf.h"
#include "tenon/ops.h"

namespace tenon {
namespace {

TEST(Graph, KeepsTypesAndNodesInOrder) {
  Graph graph;
  const Value x = real(graph, {32, 64}), weight = real(graph, {10, 64}), bias = real(graph, Shape{10});
  const Value y = relu(linear(x, weight, bias));
  ASSERT_EQ(graph.nodes().size(), 2U);
  EXPECT_EQ(graph.nodes()[0].op, Op::linear);
  EXPECT_EQ(graph.nodes()[0].operand[1], weight.id);
  EXPECT_EQ(graph.nodes()[1].operand[0], graph.nodes()[0].output);
  EXPECT_EQ(graph.nodes()[1].output, y.id);
  EXPECT_EQ(graph.shape(y), (Shape{32, 10}));
}

TEST(Graph, PrintsOneNodeALine) {
  Graph graph;
  const Value x = real(graph, {32, 64}), weight = real(graph, {10, 64}), bias = real(graph, Shape{10});
  const Value label = graph.leaf({Kind::natural, Shape{32}});
  const Value logits = linear(x, weight, bias);
  cross_entropy(logits, label);
  reduce_sum(permute(scale(logits, Factor{0.5}), Order{{-1, 0}}), Axes{Shape{-1}, true});
  EXPECT_EQ(to_string(graph),
            "%0 = leaf() : (32, 64)\n"
            "%1 = leaf() : (10, 64)\n"
            "%2 = leaf() : (10)\n"
            "%3 = leaf() : natural (32)\n"
            "%4 = linear(%0, %1, %2) : (32, 10)\n"
            "%5 = cross_entropy(%4, %3) : ()\n"
            "%6 = scale(%4) {factor=0.5} : (32, 10)\n"
            "%7 = permute(%6) {axes=(-1, 0)} : (10, 32)\n"
            "%8 = reduce_sum(%7) {axes=(-1), keep_dims=true} : (10, 1)\n");
}

TEST(Graph, GivesAnUpdateAllItsOutputs) {
  Graph graph;
  const Value p = real(graph, Shape{3}), g = real(graph, Shape{3}), m = real(graph, Shape{3}),
              v = real(graph, Shape{3});
  const Value first = adam(p, g, m, v, Moments{.decay = 0.01});
  const Value after = neg(Recorder::output(first, 2));
  EXPECT_EQ(after.id, first.id + 3);
  EXPECT_EQ(graph.shape(Recorder::output(first, 2)), Shape{3});
  EXPECT_NE(
      to_string(graph).find("%4, %5, %6 = adam(%0, %1, %2, %3) {decay=0.01} : (3), (3), (3)\n%7 = neg(%6) : (3)\n"),
      std::string::npos)
      << to_string(graph);
}

TEST(Graph, RefusesALeafThatIsNoTensor) {
  const auto refusal = [](const Shape& shape) {
    Graph graph;
    real(graph, shape);
    return graph.failed() ? graph.status().error().text : "";
  };
  constexpr Extent large = Extent{1} << 62;
  EXPECT_EQ(refusal({2, -5}), "[graph] (2, -5) is no shape of a tensor");
  EXPECT_EQ(refusal({batch, -5}), "[graph] (batch, -5) is no shape of a tensor");
  EXPECT_EQ(refusal({batch, large, 8}), "[graph] (batch, 4611686018427387904, 8) is no shape of a tensor");
  EXPECT_EQ(refusal({dyn, large, 8}), "[graph] (dyn, 4611686018427387904, 8) is no shape of a tensor");
  EXPECT_EQ(refusal({batch, 0, large}), "[graph] (batch, 0, 4611686018427387904) is no shape of a tensor");
  EXPECT_EQ(refusal({batch, dyn, most_elements}), "");
}

}  // namespace
}  // namespace tenon
