// Gradients that are one operation, X.vjp, where the caller says so.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "arrays.h"
#include "tenon/autograd.h"

namespace tenon {
namespace {

bool always(Op, std::span<const OperandType>, const Attributes&) { return true; }

/// A loss that depends on every element of the operation's result, and gradients of it.
struct Gradients {
  Gradients(const OpSpec& row, const Case& c, const OwnGradient& own) {
    std::vector<Value> operands;
    for (HostArray& array : drawn_operands(c, row))
      operands.push_back(recorder.leaf(std::move(array), row.kind(operands.size())));
    const Value y = recorder.record(row.op, operands, c.attributes, c.scalars);
    forward_nodes = recorder.nodes().size();
    operands.resize(row.reals.count);
    const auto found = differentiate(reduce_sum(mul(y, sin(y))), operands, own);
    EXPECT_TRUE(found) << found.error().text;
    if (found) gradients = *found;
  }

  std::size_t count(Op op) const {
    return static_cast<std::size_t>(std::ranges::count(recorder.nodes(), op, &Node::op));
  }

  ReferenceRecorder recorder;
  std::size_t forward_nodes = 0;
  std::vector<Value> gradients;
};

bool same_bits(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b) || (std::isnan(a) && std::isnan(b));
}

class OwnGradients : public testing::TestWithParam<OpSpec> {};

TEST_P(OwnGradients, AreThoseOfTheRule) {
  const OpSpec& row = GetParam();
  for (const Case& c : columns(row.op).cases()) {
    SCOPED_TRACE(c.name);
    Gradients composed(row, c, {}), own(row, c, always);
    EXPECT_EQ(composed.count(vjp_of(row.op)), 0u);
    EXPECT_GE(own.count(vjp_of(row.op)), 1u);
    ASSERT_EQ(own.gradients.size(), composed.gradients.size());
    for (std::size_t i = 0; i < own.gradients.size(); ++i) {
      const auto &a = own.recorder.array(own.gradients[i]), &b = composed.recorder.array(composed.gradients[i]);
      EXPECT_EQ(a.shape, b.shape);
      EXPECT_TRUE(std::ranges::equal(a.values, b.values, same_bits)) << row.operand(i);
    }
  }
}

std::vector<OpSpec> differentiable() {
  std::vector<OpSpec> out;
  for (const OpSpec& row : all_ops())
    if (is_differentiable(row.op)) out.push_back(row);
  return out;
}

INSTANTIATE_TEST_SUITE_P(EveryOperation, OwnGradients, testing::ValuesIn(differentiable()),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(OwnGradient, IsAskedForWithWhatItWouldBeGiven) {
  ReferenceRecorder r;
  const Value x = r.leaf({{2, 3}, {1, 2, 3, 4, 5, 6}}), weight = r.leaf({{1, 3}, {1, 1, 1}}),
              bias = r.leaf(vector_of({0}));
  std::vector<Op> asked;
  std::vector<Shape> shapes;
  const auto only_linear = [&](Op vjp, std::span<const OperandType> operands, const Attributes&) {
    asked.push_back(vjp);
    if (vjp != vjp_of(Op::linear)) return false;
    for (const OperandType& type : operands) shapes.push_back(type.shape);
    return true;
  };
  const auto g = differentiate(reduce_sum(relu(linear(x, weight, bias))), std::vector{weight, bias}, only_linear);
  ASSERT_TRUE(g);
  EXPECT_EQ(asked, (std::vector{vjp_of(Op::reduce_sum), vjp_of(Op::relu), vjp_of(Op::linear)}));
  EXPECT_EQ(shapes, (std::vector{Shape{2, 3}, Shape{1, 3}, Shape{1}, Shape{2, 1}, Shape{2, 1}}));
  EXPECT_EQ(r.nodes().back().op, vjp_of(Op::linear));
  EXPECT_EQ(r.values((*g)[0]), (std::vector<double>{5, 7, 9}));
  EXPECT_EQ(r.values((*g)[1]), std::vector<double>{2});
}

TEST(OwnGradient, OfAnOperandWithoutOneIsNoContribution) {
  ReferenceRecorder r;
  const Value x = r.leaf(vector_of({1, 2})), mask = r.leaf(vector_of({1, 1})), minus = r.leaf(vector_of({-0.0, -0.0}));
  const Value loss = add(reduce_sum(hard_masked_softmax(x, mask)), reduce_sum(mul(mask, minus)));
  const auto g = differentiate(loss, {&mask, 1}, always);
  ASSERT_TRUE(g);
  for (const double value : r.values((*g)[0])) EXPECT_TRUE(std::signbit(value)) << "adding +0 to -0 gives +0";
}

TEST(OwnGradient, HasNoGradientOfItsOwn) {
  ReferenceRecorder r;
  const Value x = r.leaf(vector_of({1, 2})), y = softmax(x);
  const std::array operands{x, y, x};
  const Value g = r.record(vjp_of(Op::softmax), operands, {});
  const auto refused = differentiate(reduce_sum(g), {&x, 1}, always);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().reason, Reason::NOT_DIFFERENTIABLE);
  EXPECT_NE(refused.error().text.find("[softmax.vjp] cannot be differentiated: it is part of a gradient"),
            std::string::npos)
      << refused.error().text;
}

}  // namespace
}  // namespace tenon
