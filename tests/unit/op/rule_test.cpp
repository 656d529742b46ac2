#include <gtest/gtest.h>

#include "refusal.h"

namespace tenon {
namespace {

static_assert(shape_of(Op::linear, {Shape{batch, 64}, Shape{10, 64}, Shape{10}}) == Shape{batch, 10});
static_assert(shape_of(Op::matmul, {Shape{2, 3}, Shape{3, 4}}) == Shape{2, 4});
static_assert(shape_of(Op::reduce_sum, {Shape{2, batch, 4}}, Axes{{0, -1}}) == Shape{batch});
static_assert(shape_of(Op::cross_entropy, {Shape{batch, 10}, Shape{batch}}) == Shape{});

TEST(MatmulRule, BroadcastsLeadingAxes) {
  EXPECT_EQ(shape_of(Op::matmul, {Shape{2, 1, 3, 4}, Shape{5, 4, 2}}), (Shape{2, 5, 3, 2}));
  EXPECT_EQ(shape_of(Op::matmul, {Shape{3, 4}, Shape{batch, 4, 2}}), (Shape{batch, 3, 2}));
  EXPECT_EQ(shape_of(Op::matmul, {Shape{batch, 3, dyn}, Shape{batch, 4, 2}}), (Shape{batch, 3, 2}));
  EXPECT_EQ(shape_of(Op::matmul, {Shape{1, 1, 1, 1, 1, 2, 3, 4}, Shape{4, 5}}), (Shape{1, 1, 1, 1, 1, 2, 3, 5}));
}

TEST(MatmulRule, RefusesInWords) {
  EXPECT_EQ(refusal(Op::matmul, {Shape{32, 128}, Shape{64, 10}}),
            "[matmul] left (32, 128), right (64, 10): inner extents 128 and 64 differ");
  EXPECT_EQ(refusal(Op::matmul, {Shape{3}, Shape{3, 4}}),
            "[matmul] left (3), right (3, 4): both operands need rank 2 or more");
  EXPECT_EQ(refusal(Op::matmul, {Shape{2, 3, 4}, Shape{3, 4, 5}}),
            "[matmul] left (2, 3, 4), right (3, 4, 5): extents 2 and 3 at axis -1 do not broadcast");
  EXPECT_EQ(refusal(Op::matmul, {Shape{2, batch}, Shape{steps, 2}}),
            "[matmul] left (2, batch), right (steps, 2): inner extents batch and steps differ");
}

TEST(LinearRule, TakesAnyRankFromOne) {
  EXPECT_EQ(shape_of(Op::linear, {Shape{3}, Shape{4, 3}, Shape{4}}), Shape{4});
  EXPECT_EQ(shape_of(Op::linear, {Shape{2, 5, 3}, Shape{4, 3}, Shape{dyn}}), (Shape{2, 5, 4}));
}

TEST(LinearRule, RefusesInWords) {
  EXPECT_EQ(refusal(Op::linear, {Shape{dyn, 128}, Shape{10, 120}, Shape{10}}),
            "[linear] x (dyn, 128), weight (10, 120), bias (10): x has 128 features, weight takes 120");
  EXPECT_EQ(refusal(Op::linear, {Shape{dyn, 64}, Shape{128}, Shape{128, 64}}),
            "[linear] x (dyn, 64), weight (128), bias (128, 64): expected (..., in), (out, in), (out)");
  EXPECT_EQ(refusal(Op::linear, {Shape{2, 3}, Shape{4, 3}, Shape{5}}),
            "[linear] x (2, 3), weight (4, 3), bias (5): weight gives 4 features, bias has 5");
  EXPECT_EQ(refusal(Op::linear, {Shape{}, Shape{4, 3}, Shape{4}}),
            "[linear] x (), weight (4, 3), bias (4): expected (..., in), (out, in), (out)");
}

TEST(ReductionRule, ReducesNamedAxesOrAll) {
  EXPECT_EQ(shape_of(Op::reduce_sum, {Shape{2, 3, 4}}), Shape{});
  EXPECT_EQ(shape_of(Op::reduce_mean, {Shape{2, 3, 4}}, Axes{{}, true}), (Shape{1, 1, 1}));
  EXPECT_EQ(shape_of(Op::reduce_max, {Shape{2, 3, 4}}, Axes{Shape{-2}, true}), (Shape{2, 1, 4}));
  EXPECT_EQ(shape_of(Op::reduce_sum, {Shape{}}), Shape{});
}

TEST(ReductionRule, RefusesAxesThatDoNotFit) {
  EXPECT_EQ(refusal(Op::reduce_sum, {Shape{2, 3}}, Axes{Shape{2}}),
            "[reduce_sum] x (2, 3): axis 2 does not fit rank 2");
  EXPECT_EQ(refusal(Op::reduce_mean, {Shape{2, 3}}, Axes{{1, -1}}), "[reduce_mean] x (2, 3): axis -1 is named twice");
}

TEST(ReductionRule, OnlyAMaximumNeedsElements) {
  EXPECT_EQ(shape_of(Op::reduce_sum, {Shape{0, 3}}), Shape{});
  EXPECT_EQ(shape_of(Op::reduce_mean, {Shape{0, 3}}, Axes{Shape{0}}), Shape{3});
  EXPECT_EQ(shape_of(Op::reduce_max, {Shape{0, 3}}, Axes{Shape{1}}), Shape{0});
  EXPECT_EQ(shape_of(Op::reduce_max, {Shape{dyn, 0}}, Axes{Shape{1}}), Shape{dyn});
  EXPECT_EQ(refusal(Op::reduce_max, {Shape{0, 3}}), "[reduce_max] x (0, 3): no elements have no maximum");
  EXPECT_EQ(refusal(Op::reduce_max, {Shape{3, 0}}, Axes{Shape{1}}),
            "[reduce_max] x (3, 0): no elements have no maximum");
  EXPECT_EQ(refusal(Op::reduce_max, {Shape{batch, 0}}, Axes{Shape{1}}),
            "[reduce_max] x (batch, 0): no elements have no maximum");
}

TEST(ReductionRule, TheGradientOfAMaximumTakesTheReducedShape) {
  EXPECT_EQ(shape_of(Op::reduce_max_grad, {Shape{2, 3}, Shape{2}, Shape{2}}, Axes{Shape{1}}), (Shape{2, 3}));
  EXPECT_EQ(refusal(Op::reduce_max_grad, {Shape{2, 3}, Shape{2}, Shape{3}}, Axes{Shape{1}}),
            "[reduce_max_grad] x (2, 3), y (2), upstream (3): y and upstream must have shape (2)");
}

TEST(NormaliserRule, NeedsALastAxis) {
  EXPECT_EQ(shape_of(Op::softmax, {Shape{batch, 3}}), (Shape{batch, 3}));
  EXPECT_EQ(refusal(Op::softmax, {Shape{}}), "[softmax] x (): a scalar has no last axis");
  EXPECT_EQ(refusal(Op::log_softmax, {Shape{}}), "[log_softmax] x (): a scalar has no last axis");
  EXPECT_EQ(refusal(Op::layer_norm, {Shape{}, Shape{1}, Shape{1}}),
            "[layer_norm] x (), weight (1), bias (1): a scalar has no last axis");
}

TEST(NormaliserRule, TakesAMaskOfTheSameShape) {
  EXPECT_EQ(shape_of(Op::hard_masked_softmax, {Shape{batch, 3}, Shape{batch, 3}}), (Shape{batch, 3}));
  EXPECT_EQ(refusal(Op::hard_masked_softmax, {Shape{2, 3}, Shape{3}}),
            "[hard_masked_softmax] x (2, 3), mask (3): shapes (2, 3) and (3) differ, expected equal ones");
  EXPECT_EQ(refusal(Op::hard_masked_softmax, {Shape{}, Shape{}}),
            "[hard_masked_softmax] x (), mask (): a scalar has no last axis");
}

TEST(NormaliserRule, TakesVectorsOfFeaturesOrChannels) {
  EXPECT_EQ(shape_of(Op::layer_norm, {Shape{batch, dyn}, Shape{3}, Shape{dyn}}), (Shape{batch, 3}));
  EXPECT_EQ(shape_of(Op::batch_norm, {Shape{batch, 3, 8}, Shape{3}, Shape{3}, Shape{3}, Shape{3}}),
            (Shape{batch, 3, 8}));
  EXPECT_EQ(refusal(Op::layer_norm, {Shape{2, 3}, Shape{3}, Shape{2}}),
            "[layer_norm] x (2, 3), weight (3), bias (2): x has 3 features, found 2");
  EXPECT_EQ(
      refusal(Op::layer_norm, {Shape{2, 3}, Shape{1, 3}, Shape{3}}),
      "[layer_norm] x (2, 3), weight (1, 3), bias (3): expected vectors of one number for each of the features of "
      "x");
  EXPECT_EQ(refusal(Op::layer_norm, {Shape{3}, Shape{3}, Shape{3}}, Epsilon{-1}),
            "[layer_norm] x (3), weight (3), bias (3): epsilon must be 0 or more");
  EXPECT_EQ(refusal(Op::batch_norm, {Shape{2, 3, 8}, Shape{3}, Shape{8}, Shape{3}, Shape{3}}),
            "[batch_norm] x (2, 3, 8), mean (3), variance (8), weight (3), bias (3): x has 3 channels, found 8");
  EXPECT_EQ(refusal(Op::batch_norm, {Shape{3}, Shape{3}, Shape{3}, Shape{3}, Shape{3}}),
            "[batch_norm] x (3), mean (3), variance (3), weight (3), bias (3): expected x of (batch, channels, ...)");
}

TEST(LossRule, IsAScalar) {
  EXPECT_EQ(shape_of(Op::mse_loss, {Shape{batch, 3}, Shape{batch, 3}}), Shape{});
  EXPECT_EQ(shape_of(Op::cross_entropy, {Shape{2, 5, 3}, Shape{2, 5}}), Shape{});
  EXPECT_EQ(shape_of(Op::cross_entropy_grad, {Shape{5, 3}, Shape{}, Shape{5}}), (Shape{5, 3}));
}

TEST(LossRule, RefusesInWords) {
  EXPECT_EQ(refusal(Op::mse_loss, {Shape{2, 3}, Shape{2, 1}}),
            "[mse_loss] prediction (2, 3), target (2, 1): expected equal shapes");
  EXPECT_EQ(refusal(Op::cross_entropy, {Shape{5, 3}, Shape{4}}),
            "[cross_entropy] logits (5, 3), labels (4): expected one label per row of logits");
  EXPECT_EQ(refusal(Op::cross_entropy, {Shape{}, Shape{}}),
            "[cross_entropy] logits (), labels (): logits need a class axis");
  EXPECT_EQ(refusal(Op::cross_entropy_grad, {Shape{5, 3}, Shape{1}, Shape{5}}),
            "[cross_entropy_grad] logits (5, 3), upstream (1), labels (5): upstream must be a scalar");
}

TEST(SourceRule, MakesWhatItIsTold) {
  EXPECT_EQ(shape_of(Op::fill, {}, Constant{{2, 3}, 1}), (Shape{2, 3}));
  EXPECT_EQ(shape_of(Op::rand_uniform, {}, Sized{Shape{0}}), Shape{0});
  EXPECT_EQ(shape_of(Op::init_normal, {}, Gaussian{{4, 5}, 0, 0}), (Shape{4, 5}));
}

TEST(SourceRule, RefusesInWords) {
  constexpr double inf = std::numeric_limits<double>::infinity(), most = std::numeric_limits<double>::max();
  EXPECT_EQ(refusal(Op::fill, {}, Constant{{dyn, 3}, 1}), "[fill] shape (dyn, 3) has an unknown extent");
  EXPECT_EQ(refusal(Op::fill, {}, Constant{{-3, 3}, 1}), "[fill] (-3, 3) has a negative extent");
  EXPECT_EQ(refusal(Op::rand_uniform, {}, Sized{{1 << 30, 1 << 30}}),
            "[rand_uniform] (1073741824, 1073741824) has too many elements");
  EXPECT_EQ(refusal(Op::bernoulli_mask, {}, Keep{Shape{3}, 1.5}), "[bernoulli_mask] keep must lie in [0, 1]");
  EXPECT_EQ(refusal(Op::init_uniform, {}, Interval{Shape{3}, 1, 0}), "[init_uniform] low exceeds high");
  EXPECT_EQ(refusal(Op::init_uniform, {}, Interval{Shape{3}, -inf, 0}), "[init_uniform] low and high must be finite");
  EXPECT_EQ(refusal(Op::init_uniform, {}, Interval{Shape{3}, -most, most}), "[init_uniform] high - low overflows");
  EXPECT_EQ(refusal(Op::init_normal, {}, Gaussian{Shape{3}, 0, -1}), "[init_normal] std must be 0 or more");
  EXPECT_EQ(refusal(Op::init_normal, {}, Gaussian{Shape{3}, inf, 1}), "[init_normal] mean and std must be finite");
}

TEST(UpdateRule, TakesEqualShapesAndSaneAttributes) {
  EXPECT_EQ(shape_of(Op::adam, {Shape{2, 3}, Shape{2, 3}, Shape{2, 3}, Shape{2, 3}}), (Shape{2, 3}));
  EXPECT_EQ(refusal(Op::sgd, {Shape{2}, Shape{3}}),
            "[sgd] parameter (2), gradient (3): shapes (2) and (3) differ, expected equal ones");
  EXPECT_EQ(refusal(Op::momentum, {Shape{2}, Shape{2}, Shape{2}}, Momentum{-1}),
            "[momentum] parameter (2), gradient (2), velocity (2): momentum must be 0 or more");
  EXPECT_EQ(refusal(Op::adam, {Shape{2}, Shape{2}, Shape{2}, Shape{2}}, Moments{.beta1 = 1}),
            "[adam] parameter (2), gradient (2), m (2), v (2): beta1 and beta2 must lie in [0, 1)");
  EXPECT_EQ(refusal(Op::adamw, {Shape{2}, Shape{2}, Shape{2}, Shape{2}}, Moments{.decay = -1}),
            "[adamw] parameter (2), gradient (2), m (2), v (2): epsilon and decay must be 0 or more");
  const std::initializer_list<Shape> three = {Shape{2}, Shape{2}, Shape{2}};
  EXPECT_EQ(shape_of(Op::adagrad, three), Shape{2});
  EXPECT_EQ(refusal(Op::adagrad, three, Adagrad{.rate_decay = -1}),
            "[adagrad] parameter (2), gradient (2), sum (2): rate_decay, epsilon and decay must be 0 or more");
  EXPECT_EQ(refusal(Op::rmsprop, three, Rmsprop{.alpha = 1.5}),
            "[rmsprop] parameter (2), gradient (2), square_average (2): alpha must lie in [0, 1]");
  EXPECT_EQ(
      refusal(Op::adadelta, {Shape{2}, Shape{2}, Shape{2}, Shape{2}}, Adadelta{.epsilon = -1}),
      "[adadelta] parameter (2), gradient (2), square_average (2), delta_average (2): epsilon and decay must be 0 "
      "or more");
}

/// Shapes that no numbers in the place of the unknown extents make a tensor's.
constexpr Shape impossible[] = {{batch, Extent{1} << 62, 8},
                                {dyn, Extent{1} << 62, 8},
                                {2, Extent{1} << 62, 8},
                                {batch, Extent{1} << 49},
                                {dyn, 1 << 25, 1 << 25},
                                {batch, steps, -5},
                                {dyn, -5},
                                {0, batch, 1 << 25, 1 << 25, dyn}};

TEST(EveryRule, RefusesOperandsThatAreNoTensors) {
  for (const Shape& x : impossible) {
    for (const auto& [op, attributes] :
         std::initializer_list<std::pair<Op, Attributes>>{{Op::reshape, Target{{dyn, 8}}},
                                                          {Op::flatten, Range{0, -1}},
                                                          {Op::relu, NoAttributes{}},
                                                          {Op::reduce_sum, Axes{}},
                                                          {Op::softmax, NoAttributes{}}}) {
      const std::string text = refusal(op, {x}, attributes);
      EXPECT_TRUE(text.ends_with(" has too many elements") || text.ends_with(" has a negative extent")) << text;
    }
  }
  EXPECT_EQ(refusal(Op::reshape, {Shape{batch, Extent{1} << 62, 8}}, Target{{dyn, 8}}),
            "[reshape] x (batch, 4611686018427387904, 8): (batch, 4611686018427387904, 8) has too many elements");
}

TEST(EveryRule, RefusesResultsThatAreNoTensors) {
  const Extent large = Extent{1} << 30;
  EXPECT_EQ(refusal(Op::add, {Shape{batch, large, 1}, Shape{batch, 1, large}}),
            "[add] left (batch, 1073741824, 1), right (batch, 1, 1073741824): the result (batch, 1073741824, "
            "1073741824) has too many elements");
  EXPECT_NE(refusal(Op::matmul, {Shape{dyn, large, 1}, Shape{1, large}}), "");
  EXPECT_NE(refusal(Op::concat, {Shape{batch, most_elements}, Shape{batch, most_elements}}, Axis{1}), "");
  EXPECT_EQ(shape_of(Op::relu, {Shape{batch, most_elements}}), (Shape{batch, most_elements}));
}

}  // namespace
}  // namespace tenon
