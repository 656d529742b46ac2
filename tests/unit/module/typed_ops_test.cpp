#include "tenon/typed_ops.h"

#include <gtest/gtest.h>

#include "tenon/dropout.h"
#include "typed_leaf.h"

namespace tenon {
namespace {

using test::leaf;

template <class A, class B>
inline constexpr bool same = std::same_as<A, B>;

Value real(Graph& graph, const Shape& shape) { return graph.leaf({Kind::real, shape}); }

TEST(TypedOps, RecordWhatValuesRecord) {
  Graph typed, plain;
  {
    const auto x = leaf<Tensor<batch, 64>>(typed, {32, 64});
    const auto weight = leaf<Tensor<10, 64>>(typed);
    const auto bias = leaf<Tensor<10>>(typed);
    const auto label = leaf<Naturals<batch>>(typed, Shape{32});
    const auto logits = linear(relu(x), weight, bias);
    static_assert(same<decltype(logits), const Tensor<batch, 10>>);
    const auto loss = cross_entropy(scale(logits, Factor{0.5}), label);
    static_assert(same<decltype(loss), const Tensor<>>);
  }
  {
    const Value x = real(plain, {32, 64}), weight = real(plain, {10, 64}), bias = real(plain, Shape{10});
    const Value label = plain.leaf({Kind::natural, Shape{32}});
    cross_entropy(scale(linear(relu(x), weight, bias), Factor{0.5}), label);
  }
  EXPECT_EQ(to_string(typed), to_string(plain));
  EXPECT_TRUE(typed.status());
}

TEST(TypedOps, TakeAttributesThatDecideTheShapeAsTemplateArguments) {
  Graph typed, plain;
  {
    const auto x = leaf<Tensor<batch, 8, 6>>(typed, {4, 8, 6});
    const auto y = reshape<Target{Shape{dyn, 48}}>(x);
    static_assert(same<decltype(y), const Tensor<batch, 48>>);
    const auto z = permute<Order{Shape{1, 0}}>(y);
    static_assert(same<decltype(z), const Tensor<48, batch>>);
    const auto s = reduce_sum<Axes{Shape{-1}, true}>(z);
    static_assert(same<decltype(s), const Tensor<48, 1>>);
  }
  const Value y = reshape(real(plain, {4, 8, 6}), Target{Shape{dyn, 48}});
  reduce_sum(permute(y, Order{Shape{1, 0}}), Axes{Shape{-1}, true});
  EXPECT_EQ(to_string(typed), to_string(plain));
}

TEST(TypedOps, HaveShorterSpellings) {
  Graph typed, plain;
  {
    const auto x = leaf<Tensor<batch, 8, 6>>(typed, {4, 8, 6});
    const auto y = permute<0, 2, 1>(reshape<dyn, 2, 24>(x));
    static_assert(same<decltype(y), const Tensor<batch, 24, 2>>);
    static_assert(same<decltype(reduce_sum<0>(y)), Tensor<24, 2>>);
    reduce_max<0>(reduce_mean<-1>(y));
    const auto all = reduce_sum(y);
    static_assert(same<decltype(reshape<>(all)), Tensor<>>);
  }
  const Value x = reshape(real(plain, {4, 8, 6}), Target{Shape{dyn, 2, 24}});
  const Value y = permute(x, Order{Shape{0, 2, 1}});
  reduce_max(reduce_mean(y, Axes{Shape{-1}}), Axes{Shape{0}});
  reduce_sum(y);
  EXPECT_EQ(to_string(typed), to_string(plain));
}

TEST(TypedOps, HaveOperators) {
  Graph typed, plain;
  {
    const auto x = leaf<Tensor<batch, 3>>(typed, {2, 3});
    const auto y = leaf<Tensor<3>>(typed);
    const auto left = (x + y) * x / y;
    const auto z = left - x * 2.0;
    static_assert(same<decltype(z), const Tensor<batch, 3>>);
    static_assert(same<decltype(-z), Tensor<batch, 3>>);
    -(3 * z);
  }
  const Value x = real(plain, {2, 3}), y = real(plain, Shape{3});
  const Value left = div(mul(add(x, y), x), y);
  neg(scale(sub(left, scale(x, Factor{2})), Factor{3}));
  EXPECT_EQ(to_string(typed), to_string(plain));
}

TEST(TypedOps, GiveAValueBesideAPlainOne) {
  Graph graph;
  const auto x = leaf<Tensor<2, 3>>(graph);
  const Value v = real(graph, {2, 3});
  static_assert(same<decltype(add(x, v)), Value> && same<decltype(add(v, x)), Value> && same<decltype(v * x), Value>);
  add(x, v);
  EXPECT_EQ(graph.shape(add(v, x)), (Shape{2, 3}));
  mul(v, leaf<Tensor<4>>(graph));
  ASSERT_TRUE(graph.failed());
  EXPECT_EQ(graph.status().error().text, "[mul] left (2, 3), right (4): extents 3 and 4 at axis -1 do not broadcast");
}

TEST(TypedOps, AcceptPoisonEverywhere) {
  const Poison poison;
  static_assert(same<decltype(relu(poison)), Poison>);
  static_assert(same<decltype(reshape<2, 3>(add(poison, Tensor<2>()))), Poison>);
  static_assert(same<decltype(cross_entropy(Tensor<2, 3>(), poison) * 2.0), Poison>);
  static_assert(same<decltype(refine<2>(poison)), Poison>);
  static_assert(same<decltype(dropout(poison, 0.5)), Poison>);
  static_assert(std::convertible_to<Poison, Tensor<2>> && std::convertible_to<Poison, Naturals<2>>);
  update(State<2>(), poison);
}

TEST(TypedTensor, ForgetsExtents) {
  static_assert(std::convertible_to<Tensor<32, 64>, Tensor<dyn, 64>>);
  static_assert(!std::convertible_to<Naturals<32>, Tensor<32>> && !std::convertible_to<Tensor<32>, Naturals<32>>);
  static_assert(!std::convertible_to<Tensor<32>, Value> && std::constructible_from<Value, Tensor<32>>);
  Graph graph;
  const auto x = leaf<Tensor<32, 64>>(graph);
  const Tensor<batch, 64> y = x;
  EXPECT_EQ(y.value, x.value);
}

TEST(TypedTensor, IsRefinedWhereTheProgramKnowsMore) {
  Graph graph;
  const auto x = leaf<Tensor<dyn, dyn, dyn>>(graph, {4, 4, 6});
  const auto y = refine<batch, batch, 6>(x);
  static_assert(same<decltype(y), const Tensor<batch, batch, 6>>);
  EXPECT_EQ(y.value, x.value);
  EXPECT_TRUE(graph.status());
  refine<batch, dyn, 5>(x);
  EXPECT_EQ(graph.status().error().text, "[refine] x: found (4, 4, 6), expected (batch, dyn, 5)");
}

TEST(TypedTensor, HoldsOneNameToOneNumberWhenRefined) {
  Graph graph;
  refine<batch, 6, batch>(leaf<Tensor<dyn, 6, dyn>>(graph, {4, 6, 3}));
  EXPECT_EQ(graph.status().error().text, "[refine] x: found (4, 6, 3), expected (batch, 6, batch)");
}

TEST(TypedState, ReadsAsATensorAndIsUpdated) {
  Graph graph;
  const auto x = leaf<Tensor<batch, 3>>(graph, {2, 3});
  const auto mean = leaf<State<3>>(graph);
  static_assert(same<decltype(x - mean), Tensor<batch, 3>>);
  const Tensor<3> read = mean;
  update(mean, scale(read + reduce_mean<0>(x), Factor{0.5}));
  ASSERT_EQ(graph.state_updates().size(), 1U);
  EXPECT_EQ(graph.state_updates()[0].state, mean.value.id);
  EXPECT_TRUE(graph.status());
}

TEST(Dropout, LeavesAnEvaluatedProgramAlone) {
  Graph graph;
  const auto x = leaf<Tensor<batch, 3>>(graph, {2, 3});
  EXPECT_EQ(dropout(x, 0.25).value, x.value);
  EXPECT_TRUE(graph.nodes().empty());
}

TEST(Dropout, MasksAndScalesInTraining) {
  Graph graph;
  graph.set_training(true);
  const auto x = leaf<Tensor<batch, 3>>(graph, {2, 3});
  const auto y = dropout(x, 0.25);
  static_assert(same<decltype(y), const Tensor<batch, 3>>);
  EXPECT_EQ(to_string(graph),
            "%0 = leaf() : (2, 3)\n"
            "%1 = bernoulli_mask() {shape=(2, 3), keep=0.25} : (2, 3)\n"
            "%2 = mul(%0, %1) : (2, 3)\n"
            "%3 = scale(%2) {factor=4} : (2, 3)\n");
}

TEST(Dropout, RefusesToKeepNothing) {
  Graph graph;
  graph.set_training(true);
  dropout(leaf<Tensor<3>>(graph), 0);
  EXPECT_EQ(graph.status().error().text, "[dropout] keep must lie in (0, 1]");
}

}  // namespace
}  // namespace tenon
