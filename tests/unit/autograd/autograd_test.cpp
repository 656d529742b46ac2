#include "tenon/autograd.h"

#include <gtest/gtest.h>

#include <cmath>

#include "arrays.h"
#include "tenon/graph.h"

namespace tenon {
namespace {

HostArray scalar_of(double value) { return {Shape{}, {value}}; }

std::vector<Value> gradients(Value loss, std::vector<Value> wanted) {
  auto out = differentiate(loss, wanted);
  EXPECT_TRUE(out) << out.error().text;
  return out.value_or(std::vector<Value>(wanted.size(), loss));
}

TEST(Differentiate, SeedsWithOneAndReachesTheLossItself) {
  ReferenceRecorder r;
  const Value x = r.leaf(scalar_of(3));
  const Value loss = mul(x, x);
  const auto g = gradients(loss, {loss, x});
  EXPECT_EQ(r.values(g[0]), Doubles{1});
  EXPECT_EQ(r.values(g[1]), Doubles{6});
}

TEST(Differentiate, GivesZerosToWhatTheLossDoesNotDependOn) {
  ReferenceRecorder r;
  const Value x = r.leaf(vector_of({1, 2})), stranger = r.leaf(vector_of({4, 5, 6}));
  const Value loss = reduce_sum(x);
  const Value later = neg(x);
  const auto g = gradients(loss, {stranger, later});
  EXPECT_EQ(r.values(g[0]), (Doubles{0, 0, 0}));
  EXPECT_EQ(r.values(g[1]), (Doubles{0, 0}));
}

TEST(Differentiate, ReachesValuesInTheMiddleOfAProgram) {
  ReferenceRecorder r;
  const Value x = r.leaf(vector_of({1, 2}));
  const Value middle = scale(x, Factor{3});
  const auto g = gradients(reduce_sum(mul(middle, middle)), {middle});
  EXPECT_EQ(r.values(g[0]), (Doubles{6, 12}));
}

TEST(Differentiate, SumsBackWhatTheRecorderBroadcast) {
  ReferenceRecorder r;
  const Value x = r.leaf({{2, 3}, {1, 2, 3, 4, 5, 6}}), bias = r.leaf(vector_of({1, 1, 1})),
              factor = r.leaf(scalar_of(2));
  const auto g = gradients(reduce_sum(mul(add(x, bias), factor)), {bias, factor});
  EXPECT_EQ(r.values(g[0]), (Doubles{4, 4, 4}));
  EXPECT_EQ(r.shape(g[1]), Shape{});
  EXPECT_EQ(r.values(g[1]), Doubles{27});
}

TEST(Differentiate, TakesLossesOfOneElementOnly) {
  Graph graph;
  const Value x = graph.leaf({Kind::real, Shape{2, 3}});
  const auto refused = differentiate(x, {&x, 1});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().reason, Reason::SHAPE_MISMATCH);
  EXPECT_EQ(refused.error().text, "[differentiate] the loss has shape (2, 3), expected one element");
  const Value one = reduce_sum(x, Axes{{}, true});
  EXPECT_TRUE(differentiate(one, {&x, 1}));
}

TEST(Differentiate, RefusesSecondDerivativesInWords) {
  Graph graph;
  const Value x = graph.leaf({Kind::real, Shape{3}});
  const Value first = gradients(reduce_sum(relu(x)), {x})[0];
  const auto refused = differentiate(reduce_sum(mul(first, x)), {&x, 1});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().reason, Reason::NOT_DIFFERENTIABLE);
  EXPECT_EQ(refused.error().text,
            "[relu_grad] cannot be differentiated: it is part of a gradient, and there are no second derivatives");
}

TEST(Differentiate, RefusesUpdatesOnThePath) {
  Graph graph;
  const Value p = graph.leaf({Kind::real, Shape{3}}), g = graph.leaf({Kind::real, Shape{3}});
  const Value velocity = graph.leaf({Kind::real, Shape{3}});
  const Value loss = reduce_sum(Recorder::output(momentum(p, g, velocity), 1));
  const auto refused = differentiate(loss, {&g, 1});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().text, "[momentum] cannot be differentiated: it has no gradient");
}

TEST(Differentiate, LeavesOperationsBesideThePathAlone) {
  Graph graph;
  const Value x = graph.leaf({Kind::real, Shape{3}}), other = graph.leaf({Kind::real, Shape{3}});
  const Value constant = relu_grad(other, other);
  const auto g = differentiate(reduce_sum(mul(x, constant)), {&x, 1});
  EXPECT_TRUE(g) << g.error().text;
}

TEST(Differentiate, RefusesNaturalNumbers) {
  Graph graph;
  const Value logits = graph.leaf({Kind::real, Shape{2, 3}}), label = graph.leaf({Kind::natural, Shape{2}});
  const auto refused = differentiate(cross_entropy(logits, label), {&label, 1});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().text, "[differentiate] natural numbers have no gradient");
}

TEST(Differentiate, PassesOnTheErrorOfAFailedProgram) {
  Graph graph;
  const Value x = graph.leaf({Kind::real, Shape{3}});
  const Value loss = matmul(x, x);
  const auto refused = differentiate(loss, {&x, 1});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().text, "[matmul] left (3), right (3): both operands need rank 2 or more");
}

TEST(Differentiate, AddsContributionsFromTheLastConsumerAndOperandFirst) {
  Graph graph;
  const Value x = graph.leaf({Kind::real, Shape{}});
  const Value first = scale(x, Factor{2});
  const Value product = mul(x, first);
  gradients(add(product, scale(x, Factor{5})), {x});
  // %1 scale, %2 mul, %3 scale, %4 add; then the seed, and contributions of %3, of %2 by operand 1 (to %1) and 0, of
  // %1.
  EXPECT_EQ(to_string(graph),
            "%0 = leaf() : ()\n"
            "%1 = scale(%0) {factor=2} : ()\n"
            "%2 = mul(%0, %1) : ()\n"
            "%3 = scale(%0) {factor=5} : ()\n"
            "%4 = add(%2, %3) : ()\n"
            "%5 = fill() {value=1} : ()\n"
            "%6 = scale(%5) {factor=5} : ()\n"
            "%7 = mul(%5, %1) : ()\n"
            "%8 = mul(%5, %0) : ()\n"
            "%9 = add(%6, %7) : ()\n"
            "%10 = scale(%8) {factor=2} : ()\n"
            "%11 = add(%9, %10) : ()\n");
}

TEST(Differentiate, AddsTheOperandsOfOneConsumerFromTheLast) {
  Graph graph;
  const Value x = graph.leaf({Kind::real, Shape{}});
  gradients(sub(x, x), {x});
  EXPECT_NE(to_string(graph).find("%3 = neg(%2) : ()\n%4 = add(%3, %2) : ()\n"), std::string::npos) << to_string(graph);
}

TEST(Differentiate, SplitsTiesAndStopsAtKinks) {
  ReferenceRecorder r;
  const Value x = r.leaf(vector_of({1, 2, 0, -1})), y = r.leaf(vector_of({1, 1, 0, 5}));
  const auto ties = gradients(reduce_sum(maximum(x, y)), {x, y});
  EXPECT_EQ(r.values(ties[0]), (Doubles{0.5, 1, 0.5, 0}));
  EXPECT_EQ(r.values(ties[1]), (Doubles{0.5, 0, 0.5, 1}));
  EXPECT_EQ(r.values(gradients(reduce_sum(relu(x)), {x})[0]), (Doubles{1, 1, 0, 0}));
  EXPECT_EQ(r.values(gradients(reduce_sum(sqrt(relu(x))), {x})[0])[2], 0);
  const Value tied = r.leaf(vector_of({3, 1, 3, 3}));
  EXPECT_EQ(r.values(gradients(reduce_max(tied), {tied})[0]), (Doubles{1.0 / 3, 0, 1.0 / 3, 1.0 / 3}));
}

/// A two-layer perceptron's loss, from the parameters and data it is given.
struct Mlp {
  std::vector<HostArray> parameters = {{{4, 3}, {.1, -.2, .3, .4, .5, -.6, .7, -.8, .9, .2, -.1, .3}},
                                       {Shape{4}, {.01, -.02, .03, .04}},
                                       {{2, 4}, {.5, -.4, .3, .2, -.1, .6, -.7, .8}},
                                       {Shape{2}, {.05, -.06}}};

  static Value record(ReferenceRecorder& r, std::span<const Value> p) {
    const Value x = r.leaf({{3, 3}, {1, 2, -1, .5, .25, 2, -2, 1, 1}});
    const Value label = r.leaf({Shape{3}, {0, 1, 1}}, Kind::natural);
    const Value logits = linear(tanh(linear(x, p[0], p[1])), p[2], p[3]);
    return add(cross_entropy(logits, label), scale(reduce_mean(mul(p[0], p[0])), Factor{0.1}));
  }

  double loss() const {
    ReferenceRecorder r;
    std::vector<Value> p;
    for (const HostArray& a : parameters) p.push_back(r.leaf(a));
    return r.values(record(r, p))[0];
  }
};

TEST(Differentiate, AgreesWithDifferencesOfAWholePerceptron) {
  Mlp mlp;
  ReferenceRecorder r;
  std::vector<Value> p;
  for (const HostArray& a : mlp.parameters) p.push_back(r.leaf(a));
  const auto g = gradients(Mlp::record(r, p), p);
  for (std::size_t i = 0; i < p.size(); ++i)
    for (std::size_t k = 0; k < mlp.parameters[i].values.size(); ++k) {
      double& x = mlp.parameters[i].values[k];
      const double at = x;
      x = at + 1e-5;
      const double above = mlp.loss();
      x = at - 1e-5;
      const double below = mlp.loss();
      x = at;
      EXPECT_NEAR(r.values(g[i])[k], (above - below) / 2e-5, 1e-9) << "parameter " << i << " element " << k;
    }
}

}  // namespace
}  // namespace tenon
