#include "harness.h"

namespace tenon::testing {
namespace {

template <class T>
class ReferenceLinearAlgebra : public RealTest<T> {
 protected:
  using Values = std::vector<T>;
  static Values matmul(const Extents& a, const Values& left, const Extents& b, const Values& right,
                       const Extents& out) {
    Call call = RealTest<T>::call("matmul");
    call.operand<T>(a, left).template operand<T>(b, right).template output<T>(out);
    EXPECT_EQ(call.run(), TENON_OK) << TestHost::error;
    return call.result<T>();
  }
  static Values linear(const Extents& x_shape, const Values& x, const Extents& w_shape, const Values& weight,
                       const Values& bias, const Extents& out) {
    Call call = RealTest<T>::call("linear");
    call.operand<T>(x_shape, x).template operand<T>(w_shape, weight);
    call.template operand<T>({static_cast<std::int64_t>(bias.size())}, bias).template output<T>(out);
    EXPECT_EQ(call.run(), TENON_OK) << TestHost::error;
    return call.result<T>();
  }
};
TYPED_TEST_SUITE(ReferenceLinearAlgebra, Reals);

TYPED_TEST(ReferenceLinearAlgebra, MultipliesMatrices) {
  EXPECT_TRUE(
      same_bits(this->matmul({2, 3}, {1, 2, 3, 4, 5, 6}, {3, 2}, {7, 8, 9, 10, 11, 12}, {2, 2}), {58, 64, 139, 154}));
}

TYPED_TEST(ReferenceLinearAlgebra, AddsProductsFromTheLeft) {
  using T = TypeParam;
  const T big = T(1e20);
  EXPECT_TRUE(same_bits(this->matmul({1, 3}, {big, 1, -big}, {3, 1}, {1, 1, 1}, {1, 1}), {0}));
  EXPECT_TRUE(same_bits(this->matmul({1, 3}, {big, -big, 1}, {3, 1}, {1, 1, 1}, {1, 1}), {1}));
  EXPECT_TRUE(same_bits(this->linear({1, 3}, {big, 1, -big}, {1, 3}, {1, 1, 1}, {0}, {1, 1}), {0}));
}

TYPED_TEST(ReferenceLinearAlgebra, RoundsAProductBeforeItIsAdded) {
  using T = TypeParam;
  const T near_one = 1 + std::exp2(-T((std::numeric_limits<T>::digits + 1) / 2));
  const T square = near_one * near_one;  // rounded; the exact square is a little more
  EXPECT_TRUE(same_bits(this->matmul({1, 2}, {-1, near_one}, {2, 1}, {square, near_one}, {1, 1}), {0}));
}

TYPED_TEST(ReferenceLinearAlgebra, BeginsItsSumsAtPlusZero) {
  using T = TypeParam;
  EXPECT_TRUE(same_bits(this->matmul({1, 1}, {-1}, {1, 1}, {0}, {1, 1}), {0}));
  EXPECT_TRUE(same_bits(this->matmul({1, 0}, {}, {0, 2}, {}, {1, 2}), {0, 0}));
  EXPECT_TRUE(same_bits(this->linear({1, 0}, {}, {2, 0}, {}, {T(-0.0), 3}, {1, 2}), {0, 3}));
}

TYPED_TEST(ReferenceLinearAlgebra, MultipliesBatchesAndBroadcastsThem) {
  EXPECT_TRUE(same_bits(this->matmul({2, 1, 2}, {1, 2, 3, 4}, {2, 2, 1}, {1, 1, 2, 2}, {2, 1, 1}), {3, 14}));
  EXPECT_TRUE(same_bits(this->matmul({2, 1, 2}, {1, 2, 3, 4}, {2, 1}, {1, 10}, {2, 1, 1}), {21, 43}));
  EXPECT_TRUE(same_bits(this->matmul({2, 1, 1, 1}, {1, 2}, {3, 1, 1}, {5, 6, 7}, {2, 3, 1, 1}), {5, 6, 7, 10, 12, 14}));
}

TYPED_TEST(ReferenceLinearAlgebra, AppliesALayerWithTheBiasLast) {
  using T = TypeParam;
  EXPECT_TRUE(same_bits(this->linear({2, 2}, {1, 2, 3, 4}, {3, 2}, {1, 0, 0, 1, 1, 1}, {10, 20, 30}, {2, 3}),
                        {11, 22, 33, 13, 24, 37}));
  const T big = T(1e20);
  EXPECT_TRUE(same_bits(this->linear({1, 2}, {1, 1}, {1, 2}, {-big, 1}, {big}, {1, 1}), {0}));
}

TYPED_TEST(ReferenceLinearAlgebra, AgreesWithAPlainLoopAtUnevenSizes) {
  using T = TypeParam;
  const std::int64_t m = 37, k = 53, n = 131;
  std::vector<T> left(m * k), right(k * n), weight(n * k), expected(m * n);
  for (std::size_t i = 0; i < left.size(); ++i) left[i] = T(1) / static_cast<T>(i % 97 + 1);
  for (std::size_t i = 0; i < right.size(); ++i) right[i] = static_cast<T>(i % 31) - T(14.7);
  for (std::int64_t i = 0; i < m; ++i) {
    for (std::int64_t j = 0; j < n; ++j) {
      T sum = 0;
      for (std::int64_t c = 0; c < k; ++c) {
        const T product = left[static_cast<std::size_t>(i * k + c)] * right[static_cast<std::size_t>(c * n + j)];
        sum = sum + product;
        weight[static_cast<std::size_t>(j * k + c)] = right[static_cast<std::size_t>(c * n + j)];
      }
      expected[static_cast<std::size_t>(i * n + j)] = sum;
    }
  }
  EXPECT_TRUE(same_bits(this->matmul({m, k}, left, {k, n}, right, {m, n}), expected));
  EXPECT_TRUE(same_bits(this->linear({m, k}, left, {n, k}, weight, std::vector<T>(n, 0), {m, n}), expected));
}

TYPED_TEST(ReferenceLinearAlgebra, RefusesShapesThatDoNotMeet) {
  using T = TypeParam;
  Call call = this->call("matmul");
  call.operand<T>({1, 2}, {1, 2}).template operand<T>({3, 1}, {1, 2, 3}).template output<T>({1, 1});
  EXPECT_EQ(call.prepare(), TENON_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(TestHost::error, "[matmul] left (1, 2), right (3, 1)");
}

}  // namespace
}  // namespace tenon::testing
