// X.vjp: what is derived of a differentiable row.
#include <gtest/gtest.h>

#include "op/refusal.h"
#include "tenon/op_table.h"

namespace tenon {
namespace {

constexpr Op linear_vjp = vjp_of(Op::linear);

static_assert(spec(linear_vjp).op == linear_vjp && differentiated_by(linear_vjp) == Op::linear);
static_assert(name(linear_vjp) == "linear.vjp" && spec(linear_vjp).role == Role::vjp);
static_assert(spec(linear_vjp).output_count() == 3 && spec(vjp_of(Op::cross_entropy)).output_count() == 1);

TEST(DerivedOperations, AreFoundByNameWhereThereIsAGradient) {
  for (const OpSpec& row : all_ops()) {
    const std::string derived = std::string(row.name) + ".vjp";
    const OpSpec* found = find_op(derived);
    ASSERT_EQ(found != nullptr, is_differentiable(row.op)) << derived;
    if (found == nullptr) continue;
    EXPECT_EQ(found, &spec(vjp_of(row.op)));
    EXPECT_EQ(found->name, derived);
    EXPECT_EQ(found->output_count(), row.reals.count);
    EXPECT_EQ(found->operand_count(), row.operand_count() + 2);
    EXPECT_EQ(found->defaults, row.defaults);
    EXPECT_EQ(columns(found->op).gradient, nullptr);
    EXPECT_EQ(columns(found->op).cases().size(), columns(row.op).cases().size());
  }
  EXPECT_EQ(find_op("linear.vjp.vjp"), nullptr);
}

TEST(DerivedOperations, TakeNaturalsLast) {
  const OpSpec& row = spec(vjp_of(Op::cross_entropy));
  EXPECT_EQ(row.operand(0), "logits");
  EXPECT_EQ(row.operand(1), "result");
  EXPECT_EQ(row.operand(2), "cotangent");
  EXPECT_EQ(row.operand(3), "labels");
  EXPECT_EQ(row.kind(2), Kind::real);
  EXPECT_EQ(row.kind(3), Kind::natural);
}

TEST(DerivedOperations, GiveEachOperandACotangentOfItsShape) {
  const std::array shapes{Shape{4, 3}, Shape{2, 3}, Shape{2}, Shape{4, 2}, Shape{4, 2}};
  EXPECT_EQ(shape_of(linear_vjp, {shapes[0], shapes[1], shapes[2], shapes[3], shapes[4]}), (Shape{4, 3}));
  const auto shape = [&](std::size_t i) { return shapes[i]; };
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(output_shape(linear_vjp, i, shapes[0], shape), shapes[i]);
}

TEST(DerivedOperations, RefuseWhatIsNotTheResultsShape) {
  EXPECT_EQ(
      refusal(linear_vjp, {Shape{4, 3}, Shape{2, 3}, Shape{2}, Shape{4, 2}, Shape{2, 4}}),
      "[linear.vjp] x (4, 3), weight (2, 3), bias (2), result (4, 2), cotangent (2, 4): cotangent (2, 4), expected "
      "(4, 2)");
  EXPECT_NE(
      refusal(linear_vjp, {Shape{4, 3}, Shape{2, 5}, Shape{2}, Shape{4, 2}, Shape{4, 2}}).find("x has 3 features"),
      std::string::npos);
}

TEST(DerivedOperations, OfElementwiseOnesTakeOperandsOfOneShape) {
  constexpr Op mul_vjp = vjp_of(Op::mul);
  EXPECT_EQ(shape_of(mul_vjp, {Shape{2, 3}, Shape{2, 3}, Shape{2, 3}, Shape{2, 3}}), (Shape{2, 3}));
  EXPECT_NE(refusal(mul_vjp, {Shape{2, 3}, Shape{3}, Shape{2, 3}, Shape{2, 3}}).find("expected operands of one shape"),
            std::string::npos);
}

}  // namespace
}  // namespace tenon
