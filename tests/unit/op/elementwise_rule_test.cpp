#include <gtest/gtest.h>

#include "refusal.h"

namespace tenon {
namespace {

static_assert(shape_of(Op::add, {Shape{3, 1}, Shape{1, 4}}) == Shape{3, 4});
static_assert(shape_of(Op::mul, {Shape{}, Shape{2, 3}}) == Shape{2, 3});
static_assert(shape_of(Op::relu, {Shape{batch, 3}}) == Shape{batch, 3});

TEST(ElementwiseRule, BroadcastsAsNumPyDoes) {
  EXPECT_EQ(shape_of(Op::sub, {Shape{2, 3}, Shape{2, 3}}), (Shape{2, 3}));
  EXPECT_EQ(shape_of(Op::div, {Shape{2, 1, 3}, Shape{4, 1}}), (Shape{2, 4, 3}));
  EXPECT_EQ(shape_of(Op::maximum, {Shape{0}, Shape{1}}), Shape{0});
}

TEST(ElementwiseRule, RefusesExtentsThatDoNotBroadcast) {
  EXPECT_EQ(refusal(Op::add, {Shape{2, 3}, Shape{2, 4}}),
            "[add] left (2, 3), right (2, 4): extents 3 and 4 at axis -1 do not broadcast");
  EXPECT_EQ(refusal(Op::minimum, {Shape{2, 3}, Shape{5, 3}}),
            "[minimum] left (2, 3), right (5, 3): extents 2 and 5 at axis -2 do not broadcast");
}

TEST(ElementwiseRule, LetsDynBeWhateverFits) {
  EXPECT_EQ(shape_of(Op::add, {Shape{dyn, 3}, Shape{dyn, 3}}), (Shape{dyn, 3}));
  EXPECT_EQ(shape_of(Op::add, {Shape{dyn}, Shape{5}}), Shape{5});
  EXPECT_EQ(shape_of(Op::add, {Shape{dyn}, Shape{1}}), Shape{dyn});
}

TEST(ElementwiseRule, NamedWithDynIsDynBecauseTheNameMayBeOne) {
  EXPECT_EQ(shape_of(Op::add, {Shape{batch}, Shape{dyn}}), Shape{dyn});
  EXPECT_EQ(shape_of(Op::add, {Shape{dyn}, Shape{batch}}), Shape{dyn});
}

TEST(ElementwiseRule, NamedFitsItselfAndOneOnly) {
  EXPECT_EQ(shape_of(Op::add, {Shape{batch}, Shape{batch}}), Shape{batch});
  EXPECT_EQ(shape_of(Op::add, {Shape{batch}, Shape{1}}), Shape{batch});
  EXPECT_EQ(refusal(Op::add, {Shape{batch}, Shape{32}}),
            "[add] left (batch), right (32): extents batch and 32 at axis -1 do not broadcast");
  EXPECT_EQ(refusal(Op::add, {Shape{batch}, Shape{steps}}),
            "[add] left (batch), right (steps): extents batch and steps at axis -1 do not broadcast");
}

TEST(ElementwiseRule, WhereBroadcastsThreeOperands) {
  EXPECT_EQ(shape_of(Op::where, {Shape{3, 1}, Shape{1, 4}, Shape{}}), (Shape{3, 4}));
  EXPECT_EQ(shape_of(Op::where, {Shape{}, Shape{batch, 1}, Shape{5}}), (Shape{batch, 5}));
  EXPECT_EQ(refusal(Op::where, {Shape{2}, Shape{3}, Shape{}}),
            "[where] condition (2), left (3), right (): extents 2 and 3 at axis -1 do not broadcast");
  EXPECT_EQ(refusal(Op::where, {Shape{2}, Shape{3}, Shape{4}}),
            "[where] condition (2), left (3), right (4): extents 3 and 4 at axis -1 do not broadcast");
  EXPECT_TRUE(broadcasts_operands(Op::where));
}

TEST(ElementwiseRule, RefusesAttributesWithoutMeaning) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(refusal(Op::clamp, {Shape{2}}, Bounds{.low = nan}), "[clamp] x (2): low and high must be numbers");
  EXPECT_EQ(shape_of(Op::clamp, {Shape{2}}, Bounds{1, -1}), Shape{2});
  EXPECT_EQ(refusal(Op::safe_log, {Shape{2}}, LogEpsilon{-1}), "[safe_log] x (2): epsilon must be 0 or more");
}

TEST(ElementwiseRule, GradientOperationsTakeEqualShapes) {
  EXPECT_EQ(shape_of(Op::relu_grad, {Shape{2, 3}, Shape{2, 3}}), (Shape{2, 3}));
  EXPECT_EQ(refusal(Op::relu_grad, {Shape{2, 3}, Shape{3}}),
            "[relu_grad] x (2, 3), upstream (3): shapes (2, 3) and (3) differ, expected equal ones");
}

TEST(ElementwiseRule, RefusesMoreElementsThanAMachineHolds) {
  constexpr Extent many = Extent{1} << 30;
  EXPECT_EQ(
      refusal(Op::add, {Shape{many, 1}, Shape{1, many}}),
      "[add] left (1073741824, 1), right (1, 1073741824): the result (1073741824, 1073741824) has too many elements");
}

TEST(Infer, RefusesAWrongNumberOfOperands) {
  EXPECT_EQ(refusal(Op::linear, {Shape{2}, Shape{2}}), "[linear] takes x, weight, bias: found 2 operands, expected 3");
  EXPECT_EQ(refusal(Op::add, {Shape{2}}), "[add] takes left, right: found 1 operand, expected 2");
  EXPECT_EQ(refusal(Op::cross_entropy, {Shape{2, 2}}),
            "[cross_entropy] takes logits, labels: found 1 operand, expected 2");
  EXPECT_EQ(refusal(Op::fill, {Shape{2}}), "[fill] takes nothing: found 1 operand, expected 0");
}

TEST(Infer, RefusesNumbersOfTheOtherKind) {
  Message why;
  const OperandType naturals[] = {{Kind::natural, Shape{dyn}}, {Kind::natural, Shape{}}};
  infer(Op::cross_entropy, naturals, NoAttributes{}, why);
  EXPECT_EQ(why.view(), "[cross_entropy] logits (dyn): found natural numbers, expected real ones");
  why = {};
  const OperandType reals[] = {{Kind::real, Shape{2, 3}}, {Kind::real, Shape{2}}};
  infer(Op::cross_entropy, reals, NoAttributes{}, why);
  EXPECT_EQ(why.view(), "[cross_entropy] labels (2): found real numbers, expected natural ones");
}

TEST(Infer, RefusesTheAttributesOfAnotherOperation) {
  EXPECT_EQ(refusal(Op::permute, {Shape{2, 3}}, Axes{}), "[permute] found the attributes of another operation");
}

TEST(Op, HasOneRowPerNameAndFindsIt) {
  for (const OpSpec& row : all_ops()) EXPECT_EQ(find_op(row.name), &row) << row.name;
  EXPECT_EQ(find_op("no such operation"), nullptr);
}

TEST(Op, BroadcastsOnlyDifferentiableElementwiseOperations) {
  EXPECT_TRUE(broadcasts_operands(Op::add));
  EXPECT_FALSE(broadcasts_operands(Op::relu_grad));
  EXPECT_FALSE(broadcasts_operands(Op::matmul));
}

}  // namespace
}  // namespace tenon
