#include <functional>

#include "harness.h"
#include "tenon/numerics.h"

namespace tenon::testing {
namespace {

template <class T>
class ReferenceElementwise : public RealTest<T> {
 protected:
  using Values = std::vector<T>;
  static Values apply(const std::string& op, const std::vector<Values>& operands) {
    Call call = RealTest<T>::call(op);
    const Extents shape{static_cast<std::int64_t>(operands[0].size())};
    for (const Values& values : operands) call.operand<T>(shape, values);
    call.output<T>(shape);
    EXPECT_EQ(call.run(), TENON_OK) << TestHost::error;
    return call.result<T>();
  }
};
TYPED_TEST_SUITE(ReferenceElementwise, Reals);

TYPED_TEST(ReferenceElementwise, DoesArithmetic) {
  using T = TypeParam;
  using V = std::vector<T>;
  const V left{1, -2, T(0.1), infinity<T>}, right{3, T(0.5), T(0.2), -infinity<T>};
  EXPECT_TRUE(same_bits(this->apply("add", {left, right}), V{4, T(-1.5), T(0.1) + T(0.2), nan<T>}));
  EXPECT_TRUE(same_bits(this->apply("sub", {left, right}), V{-2, T(-2.5), T(0.1) - T(0.2), infinity<T>}));
  EXPECT_TRUE(same_bits(this->apply("mul", {left, right}), V{3, -1, T(0.1) * T(0.2), -infinity<T>}));
  EXPECT_TRUE(same_bits(this->apply("div", {left, right}), V{T(1) / 3, -4, T(0.1) / T(0.2), nan<T>}));
  EXPECT_TRUE(same_bits(this->apply("neg", {V{0, T(-0.0), 2}}), V{T(-0.0), 0, -2}));
}

TYPED_TEST(ReferenceElementwise, OrdersNumbersWithNanAboveAllAndMinusZeroBelowZero) {
  using T = TypeParam;
  using V = std::vector<T>;
  const V left{1, nan<T>, 1, T(-0.0), 0, -infinity<T>}, right{2, 1, nan<T>, 0, T(-0.0), 5};
  EXPECT_TRUE(same_bits(this->apply("maximum", {left, right}), V{2, nan<T>, nan<T>, 0, 0, 5}));
  EXPECT_TRUE(same_bits(this->apply("minimum", {left, right}), V{1, nan<T>, nan<T>, T(-0.0), T(-0.0), -infinity<T>}));
  EXPECT_TRUE(same_bits(this->apply("relu", {V{-1, T(-0.0), 2, nan<T>}}), V{0, 0, 2, nan<T>}));
}

TYPED_TEST(ReferenceElementwise, ComputesElementaryFunctions) {
  using T = TypeParam;
  using V = std::vector<T>;
  const V x{T(-3.5), T(-0.1), T(0.1), 1, T(2.75)};
  const auto check = [&](const char* op, const std::function<long double(long double)>& exact) {
    const V actual = this->apply(op, {x});
    for (std::size_t i = 0; i < x.size(); ++i) {
      const long double expected = exact(x[i]);
      if (std::isnan(expected))
        EXPECT_TRUE(std::isnan(actual[i])) << op << " of " << x[i];
      else
        EXPECT_NEAR(actual[i], static_cast<T>(expected),
                    static_cast<T>(std::abs(expected)) * std::numeric_limits<T>::epsilon());
    }
  };
  check("exp", [](long double v) { return std::exp(v); });
  check("log", [](long double v) { return std::log(v); });
  check("tanh", [](long double v) { return std::tanh(v); });
  check("sigmoid", [](long double v) { return 1 / (1 + std::exp(-v)); });
  check("sqrt", [](long double v) { return std::sqrt(v); });
  check("softplus", [](long double v) { return std::log1p(std::exp(v)); });
  check("sin", [](long double v) { return std::sin(v); });
  check("cos", [](long double v) { return std::cos(v); });
  check("erf", [](long double v) { return std::erf(v); });
}

TYPED_TEST(ReferenceElementwise, HasTheLimitsOfElementaryFunctions) {
  using T = TypeParam;
  using V = std::vector<T>;
  const T inf = infinity<T>;
  EXPECT_TRUE(same_bits(this->apply("exp", {V{0, -inf, inf, nan<T>}}), V{1, 0, inf, nan<T>}));
  EXPECT_TRUE(same_bits(this->apply("log", {V{1, 0, T(-0.0), -1, inf}}), V{0, -inf, -inf, nan<T>, inf}));
  EXPECT_TRUE(same_bits(this->apply("sqrt", {V{4, T(-0.0), -1, inf}}), V{2, T(-0.0), nan<T>, inf}));
  EXPECT_TRUE(same_bits(this->apply("tanh", {V{0, T(-0.0), inf, -inf}}), V{0, T(-0.0), 1, -1}));
  EXPECT_TRUE(same_bits(this->apply("sigmoid", {V{0, inf, -inf}}), V{T(0.5), 1, 0}));
}

TYPED_TEST(ReferenceElementwise, HasTheLimitsOfSmoothActivations) {
  using T = TypeParam;
  using V = std::vector<T>;
  const T inf = infinity<T>;
  const V x{0, T(-0.0), inf, -inf, nan<T>};
  EXPECT_TRUE(same_bits(this->apply("gelu", {x}), V{0, T(-0.0), inf, T(-0.0), nan<T>}));
  EXPECT_TRUE(same_bits(this->apply("erf", {x}), V{0, T(-0.0), 1, -1, nan<T>}));
  EXPECT_TRUE(same_bits(this->apply("sin", {x}), V{0, T(-0.0), nan<T>, nan<T>, nan<T>}));
  EXPECT_TRUE(same_bits(this->apply("cos", {x}), V{1, 1, nan<T>, nan<T>, nan<T>}));
  EXPECT_TRUE(
      same_bits(this->apply("softplus", {x}), V{T(0.69314718055994531), T(0.69314718055994531), inf, 0, nan<T>}));
  EXPECT_TRUE(same_bits(this->apply("inv", {x}), V{inf, -inf, 0, T(-0.0), nan<T>}));
  EXPECT_TRUE(same_bits(this->apply("gelu_grad", {V{-inf, 0, inf}, V{2, 2, 2}}), V{0, 1, 2}));
}

TYPED_TEST(ReferenceElementwise, ApproximatesGeluByTanh) {
  using T = TypeParam;
  Call call = this->call("gelu");
  call.operand<T>({5}, {1, -1, 0, infinity<T>, -infinity<T>}).template output<T>({5}).flag("tanh", true);
  ASSERT_EQ(call.run(), TENON_OK);
  const std::vector<T> y = call.template result<T>();
  EXPECT_NEAR(y[0], T(0.8411919906082768), 2 * std::numeric_limits<T>::epsilon());  // PyTorch
  EXPECT_NEAR(y[1], T(-0.15880800939172324), 2 * std::numeric_limits<T>::epsilon());
  EXPECT_TRUE(same_bits({y[2], y[3], y[4]}, std::vector<T>{0, infinity<T>, T(-0.0)}));
}

TYPED_TEST(ReferenceElementwise, CutsSignsAndBounds) {
  using T = TypeParam;
  using V = std::vector<T>;
  const V x{-3, T(-0.0), 0, T(0.5), nan<T>};
  EXPECT_TRUE(same_bits(this->apply("abs", {x}), V{3, 0, 0, T(0.5), nan<T>}));
  EXPECT_TRUE(same_bits(this->apply("sign", {x}), V{-1, 0, 0, 1, nan<T>}));
  Call call = this->call("clamp");
  call.operand<T>({5}, x).template output<T>({5}).real("low", 0).real("high", 0.25);
  ASSERT_EQ(call.run(), TENON_OK);
  EXPECT_TRUE(same_bits(call.template result<T>(), V{0, 0, 0, T(0.25), nan<T>}));
  EXPECT_TRUE(same_bits(this->apply("clamp", {x}), x));
}

TYPED_TEST(ReferenceElementwise, PassesTheGradientOfClampAtItsBounds) {
  using T = TypeParam;
  Call call = this->call("clamp_grad");
  call.operand<T>({5}, {-2, -1, 0, 1, 2}).template operand<T>({5}, {1, 2, 3, 4, 5}).template output<T>({5});
  call.real("low", -1).real("high", 1);
  ASSERT_EQ(call.run(), TENON_OK);
  EXPECT_TRUE(same_bits(call.template result<T>(), {0, 2, 3, 4, 0}));
}

TYPED_TEST(ReferenceElementwise, ComparesAndChooses) {
  using T = TypeParam;
  using V = std::vector<T>;
  const V left{1, 2, 0, nan<T>}, right{2, 2, T(-0.0), nan<T>};
  EXPECT_TRUE(same_bits(this->apply("equal", {left, right}), V{0, 1, 1, 0}));
  EXPECT_TRUE(same_bits(this->apply("less", {left, right}), V{1, 0, 0, 0}));
  EXPECT_TRUE(same_bits(this->apply("where", {V{1, 0, T(-0.0), nan<T>}, V{1, 2, 3, 4}, V{5, 6, nan<T>, 8}}),
                        V{1, 6, nan<T>, 4}));
}

TYPED_TEST(ReferenceElementwise, KeepsTheLogarithmOfSoftplusFromMinusInfinity) {
  using T = TypeParam;
  EXPECT_TRUE(same_bits(this->apply("safe_log", {{-infinity<T>}}), {strict::log(T(1e-6))}));
  EXPECT_TRUE(same_bits(this->apply("safe_log", {{1}}), {strict::log(strict::softplus(T(1)) + T(1e-6))}));
}

TYPED_TEST(ReferenceElementwise, RoundsTheFactorBeforeItScales) {
  using T = TypeParam;
  Call call = this->call("scale");
  call.operand<T>({2}, {3, -7}).template output<T>({2}).real("factor", 0.1);
  ASSERT_EQ(call.run(), TENON_OK);
  EXPECT_TRUE(same_bits(call.template result<T>(), {3 * T(0.1), -7 * T(0.1)}));
}

TYPED_TEST(ReferenceElementwise, ScalesByOneWhenNoFactorIsPassed) {
  using T = TypeParam;
  EXPECT_TRUE(same_bits(this->apply("scale", {{T(1.5), -2}}), {T(1.5), -2}));
}

TYPED_TEST(ReferenceElementwise, SplitsTiesOfMaximumAndMinimumByHalves) {
  using T = TypeParam;
  using V = std::vector<T>;
  const V left{1, 2, 3, nan<T>}, right{2, 2, 2, 1}, upstream{8, 6, 4, 2};
  EXPECT_TRUE(same_bits(this->apply("maximum_grad", {left, right, upstream}), V{0, 3, 4, 0}));
  EXPECT_TRUE(same_bits(this->apply("minimum_grad", {left, right, upstream}), V{8, 3, 0, 0}));
}

TYPED_TEST(ReferenceElementwise, DifferentiatesActivations) {
  using T = TypeParam;
  using V = std::vector<T>;
  EXPECT_TRUE(same_bits(this->apply("relu_grad", {V{-1, 0, 2}, V{5, 6, 7}}), V{0, 0, 7}));
  EXPECT_TRUE(same_bits(this->apply("sigmoid_grad", {V{T(0.25), 1}, V{4, 3}}), V{T(0.75), 0}));
  EXPECT_TRUE(same_bits(this->apply("tanh_grad", {V{T(0.5), 0}, V{4, 3}}), V{3, 3}));
  EXPECT_TRUE(same_bits(this->apply("sqrt_grad", {V{2, 0}, V{8, 3}}), V{2, 0}));
}

TYPED_TEST(ReferenceElementwise, TakesTensorsWithoutElementsAndWithoutAxes) {
  using T = TypeParam;
  EXPECT_TRUE(this->apply("exp", {{}}).empty());
  Call call = this->call("add");
  call.operand<T>({}, {2}).template operand<T>({}, {3}).template output<T>({});
  ASSERT_EQ(call.run(), TENON_OK);
  EXPECT_TRUE(same_bits(call.template result<T>(), {5}));
}

TYPED_TEST(ReferenceElementwise, GivesTheSameWhenItsRangesRunApart) {
  using T = TypeParam;
  std::vector<T> x(300'000), expected;
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<T>(i % 1013) * T(0.01);
  for (const T value : x) expected.push_back(value + value);
  EXPECT_TRUE(same_bits(this->apply("add", {x, x}), expected));
}

TYPED_TEST(ReferenceElementwise, WritesOverAnyOperandThatTheHostProposes) {
  using T = TypeParam;
  for (const std::uint32_t operand : {0u, 1u}) {
    Call call = this->call("sub");
    call.operand<T>({3}, {1, 2, 3}).template operand<T>({3}, {10, 20, 30}).template output<T>({3}).in_place(0, operand);
    ASSERT_EQ(call.run(), TENON_OK);
    ASSERT_EQ(call.kernel.alias_count, 1u);
    EXPECT_TRUE(same_bits(call.template result<T>(), {-9, -18, -27}));
  }
}

}  // namespace
}  // namespace tenon::testing
