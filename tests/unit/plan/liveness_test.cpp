#include "tenon/liveness.h"

#include "support/test_device.h"
#include "tenon/memory_plan.h"
#include "tenon/ops.h"

namespace tenon::test {
namespace {

using Ids = std::vector<std::uint32_t>;

Value real_leaf(Graph& graph, const Shape& shape) { return graph.leaf({Kind::real, shape}); }

Ids live(const Graph& graph, std::initializer_list<Value> wanted) {
  Ids ids;
  for (const Value value : wanted) ids.push_back(value.id);
  return live_nodes(graph, ids);
}

TEST(LiveNodes, AreThoseThatTheWantedValuesDependOn) {
  Graph graph;
  const Value x = real_leaf(graph, Shape{2, 3});
  const Value a = exp(x), b = neg(x), c = mul(a, a);
  add(b, c);
  EXPECT_EQ(live(graph, {c}), (Ids{0, 2}));
  EXPECT_EQ(live(graph, {b}), (Ids{1}));
  EXPECT_EQ(live(graph, {b, c}), (Ids{0, 1, 2}));
  EXPECT_EQ(live(graph, {x}), (Ids{}));
  EXPECT_EQ(all_nodes(graph), (Ids{0, 1, 2, 3}));
}

TEST(LiveNodes, OperationsThatCanFailOnValuesStayWithWhatTheyNeed) {
  Graph graph;
  const Value x = real_leaf(graph, Shape{2, 3}), labels = graph.leaf({Kind::natural, Shape{2}});
  const Value logits = exp(x);
  cross_entropy(logits, labels);
  neg(logits);
  EXPECT_EQ(live(graph, {}), (Ids{0, 1}));
}

TEST(LiveNodes, UpdatesStayWithWhatTheyNeed) {
  Graph graph;
  const Value parameter = real_leaf(graph, Shape{3}), m = real_leaf(graph, Shape{3}), v = real_leaf(graph, Shape{3});
  const Value gradient = neg(parameter);
  exp(parameter);
  adam(parameter, gradient, m, v);
  EXPECT_EQ(live(graph, {}), (Ids{0, 2}));
}

TEST(LiveNodes, AnyOutputOfANodeKeepsIt) {
  Graph graph;
  const Value parameter = real_leaf(graph, Shape{3}), velocity = real_leaf(graph, Shape{3});
  const Value updated = momentum(parameter, parameter, velocity);
  const Value after = neg(Recorder::output(updated, 1));
  EXPECT_EQ(live(graph, {after}), (Ids{0, 1}));
}

TEST(LiveNodes, RandomOperationsMayBeDead) {
  Graph graph;
  rand_uniform(graph, Sized{Shape{3}});
  const Value kept = bernoulli_mask(graph, Keep{Shape{3}, 0.5});
  EXPECT_EQ(live(graph, {kept}), (Ids{1}));
}

class LifetimesOn : public testing::TestWithParam<std::string> {
 protected:
  ResolvedGraph resolved(Graph graph) {
    EXPECT_TRUE(graph.status());
    Gaps gaps;
    auto answer =
        ResolvedGraph::resolve(std::move(graph), cache_, executor_, {DType::f32, GradientMode::training}, gaps);
    EXPECT_TRUE(answer && gaps.empty());
    return *std::move(answer);
  }

 private:
  KernelCache cache_{registry_of(GetParam(), policy_of(DType::f32))};
  Executor executor_{cache_.registry().device(), nullptr};
};

std::vector<Lifetime> of(const ResolvedGraph& graph, const Ids& kept) {
  return lifetimes(graph, live_nodes(graph.graph(), kept), storage_owners(graph), kept);
}

void expect_lifetimes(const std::vector<Lifetime>& found, const std::vector<Lifetime>& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    EXPECT_EQ(found[i].owner, expected[i].owner) << i;
    EXPECT_EQ(found[i].bytes, expected[i].bytes) << i;
    EXPECT_EQ(found[i].first, expected[i].first) << i;
    EXPECT_EQ(found[i].last, expected[i].last) << i;
  }
}

TEST_P(LifetimesOn, ReachFromTheNodeThatMakesAValueToTheLastThatReadsIt) {
  Graph graph;
  const Value x = real_leaf(graph, Shape{2, 3});
  const Value a = exp(x), b = neg(a), c = mul(a, b);
  neg(x);  // dead: no storage
  const Value d = reduce_sum(c);
  expect_lifetimes(of(resolved(std::move(graph)), {d.id}), {{1, 24, 0, 2}, {2, 24, 1, 2}, {3, 24, 2, 3}, {5, 4, 3, 4}});
}

TEST_P(LifetimesOn, AReshapedValueLivesAsLongAsAnyOfItsShapes) {
  Graph graph;
  const Value x = real_leaf(graph, Shape{2, 3});
  const Value a = exp(x), flat = reshape(a, Target{Shape{6}}), column = reshape(flat, Target{Shape{6, 1}});
  neg(x);
  const Value last = exp(column);
  const ResolvedGraph graph_on = resolved(std::move(graph));
  const Ids owners = storage_owners(graph_on);
  EXPECT_EQ(owners[flat.id], a.id);
  EXPECT_EQ(owners[column.id], a.id);
  expect_lifetimes(of(graph_on, {last.id}), {{a.id, 24, 0, 3}, {last.id, 24, 3, 4}});
}

TEST_P(LifetimesOn, WhatLiesInALeafHasNone) {
  Graph graph;
  const Value x = real_leaf(graph, Shape{6});
  const Value renamed = reshape(x, Target{Shape{2, 3}});
  const ResolvedGraph graph_on = resolved(std::move(graph));
  EXPECT_EQ(storage_owners(graph_on)[renamed.id], x.id);
  expect_lifetimes(of(graph_on, {renamed.id}), {});
}

TEST_P(LifetimesOn, AnUpdateTakesItsOperandsStorage) {
  Graph graph;
  const Value parameter = real_leaf(graph, Shape{3}), m = real_leaf(graph, Shape{3}), v = real_leaf(graph, Shape{3});
  const Value gradient = neg(parameter);
  const Value updated = adam(parameter, gradient, m, v);
  const ResolvedGraph graph_on = resolved(std::move(graph));
  const Ids owners = storage_owners(graph_on);
  EXPECT_EQ(owners[updated.id], parameter.id);
  EXPECT_EQ(owners[updated.id + 1], m.id);
  EXPECT_EQ(owners[updated.id + 2], v.id);
  expect_lifetimes(of(graph_on, {updated.id}), {{gradient.id, 12, 0, 1}});
}

TEST_P(LifetimesOn, AChainOfElementwiseNodesNeedsTheMemoryOfTwo) {
  Graph graph;
  Value y = real_leaf(graph, Shape{4, 16});
  for (int i = 0; i < 20; ++i) y = neg(y);
  const auto chain = of(resolved(std::move(graph)), {y.id});
  EXPECT_EQ(chain.size(), 20u);
  EXPECT_EQ(place_by_lifetime(chain, 64).bytes, 512u);
  EXPECT_EQ(place_apart(chain, 64).bytes, 20 * 256u);
}

INSTANTIATE_TEST_SUITE_P(EveryDevice, LifetimesOn, testing::ValuesIn(device_kinds()),
                         [](const auto& i) { return i.param; });

}  // namespace
}  // namespace tenon::test
