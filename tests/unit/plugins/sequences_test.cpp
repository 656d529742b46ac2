#include <numbers>

#include "harness.h"
#include "tenon/numerics.h"

namespace tenon::testing {
namespace {

template <class T>
class ReferenceSequences : public RealTest<T> {
 protected:
  struct Array {
    Extents shape;
    std::vector<T> values;
  };
  /// Numbers from [-2, 2), different for each seed.
  static Array drawn(Extents shape, std::uint64_t seed) {
    std::uint64_t count = 1;
    for (const std::int64_t extent : shape) count *= static_cast<std::uint64_t>(extent);
    std::vector<T> values(count);
    for (T& value : values) {
      seed = seed * 6364136223846793005U + 1442695040888963407U;
      value = static_cast<T>(static_cast<double>(seed >> 40) * 0x1p-22 - 2);
    }
    return {std::move(shape), std::move(values)};
  }
  static Array run(const std::string& op, const std::vector<Array>& operands, Extents shape, double factor = 1) {
    Call call = RealTest<T>::call(op);
    for (const Array& operand : operands) call.operand<T>(operand.shape, operand.values);
    call.template output<T>(shape);
    if (factor != 1) call.real("factor", factor);
    EXPECT_EQ(call.run(), TENON_OK) << TestHost::error;
    return {std::move(shape), call.result<T>()};
  }
  static Array transposed(const Array& x) {  // of one matrix
    Array out{{x.shape[1], x.shape[0]}, {}};
    for (std::int64_t j = 0; j < x.shape[1]; ++j)
      for (std::int64_t i = 0; i < x.shape[0]; ++i)
        out.values.push_back(x.values[static_cast<std::size_t>(i * x.shape[1] + j)]);
    return out;
  }
  static Array attend(const Array& query, const Array& key, const Array& value, const Array& mask) {
    Extents shape = query.shape;
    shape.back() = value.shape.back();
    return run("scaled_dot_product_attention", {query, key, value, mask}, shape);
  }
};
TYPED_TEST_SUITE(ReferenceSequences, Reals);

TYPED_TEST(ReferenceSequences, AttentionHasTheBitsOfTheOperationsThatItIsMadeOf) {
  const auto query = this->drawn({9, 17}, 1), key = this->drawn({67, 17}, 2), value = this->drawn({67, 70}, 3);
  auto mask = this->drawn({9, 67}, 4);
  for (std::size_t i = 0; i < mask.values.size(); ++i) mask.values[i] = mask.values[i] < 1 && i / 67 != 3 ? 1 : 0;
  const auto products = this->run("matmul", {query, this->transposed(key)}, {9, 67});
  const auto scores = this->run("scale", {products}, {9, 67}, 1 / std::sqrt(17.0));
  const auto weights = this->run("hard_masked_softmax", {scores, mask}, {9, 67});
  const auto expected = this->run("matmul", {weights, value}, {9, 70});
  const auto found = this->attend(query, key, value, mask);
  EXPECT_TRUE(same_bits(found.values, expected.values));
  for (std::size_t i = 0; i < 70; ++i) EXPECT_TRUE(same_bits(found.values[3 * 70 + i], TypeParam(0)));
}

TYPED_TEST(ReferenceSequences, AttentionRepeatsLeadingAxes) {
  using T = TypeParam;
  const auto query = this->drawn({2, 3, 4}, 1), key = this->drawn({5, 4}, 2), value = this->drawn({2, 5, 2}, 3);
  const typename TestFixture::Array mask{{3, 5}, {1, 1, 0, 1, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0}};
  const auto all = this->attend(query, key, value, mask);
  for (std::size_t batch = 0; batch < 2; ++batch) {
    const auto part = [&](const auto& x, std::size_t size) {
      return std::vector<T>(x.values.begin() + static_cast<std::ptrdiff_t>(batch * size),
                            x.values.begin() + static_cast<std::ptrdiff_t>((batch + 1) * size));
    };
    const auto one = this->attend({{3, 4}, part(query, 12)}, key, {{5, 2}, part(value, 10)}, mask);
    EXPECT_TRUE(same_bits(part(all, 6), one.values));
  }
}

TYPED_TEST(ReferenceSequences, AScanRoundsBothProductsBeforeTheSum) {
  using T = TypeParam;
  const auto a = this->drawn({50, 3}, 1), b = this->drawn({50, 3}, 2), x = this->drawn({50, 3}, 3);
  const auto h0 = this->drawn({3}, 4);
  std::vector<T> expected, before = h0.values, gradient(150);
  for (std::size_t i = 0; i < 150; ++i) {
    const volatile T kept = a.values[i] * before[i % 3], added = b.values[i] * x.values[i];
    expected.push_back(before[i % 3] = kept + added);
  }
  EXPECT_TRUE(same_bits(this->run("selective_scan", {a, b, x, h0}, {50, 3}).values, expected));
  for (std::size_t i = 150; i-- > 0;) {
    const volatile T later = i < 147 ? a.values[i + 3] * gradient[i + 3] : T(0);
    gradient[i] = i < 147 ? b.values[i] + later : b.values[i];
  }
  EXPECT_TRUE(same_bits(this->run("selective_scan_grad", {a, b}, {50, 3}).values, gradient));
}

TYPED_TEST(ReferenceSequences, AScanMayTakeTheStorageOfAnOperand) {
  const auto a = this->drawn({7, 3}, 1), b = this->drawn({7, 3}, 2), x = this->drawn({7, 3}, 3);
  const auto h0 = this->drawn({3}, 4), expected = this->run("selective_scan", {a, b, x, h0}, {7, 3});
  for (const std::uint32_t operand : {0u, 1u, 2u}) {
    Call call = this->call("selective_scan");
    for (const auto& array : {a, b, x, h0}) call.operand<TypeParam>(array.shape, array.values);
    call.template output<TypeParam>({7, 3}).in_place(0, operand);
    ASSERT_EQ(call.run(), TENON_OK) << TestHost::error;
    EXPECT_TRUE(same_bits(call.template result<TypeParam>(), expected.values));
  }
}

TYPED_TEST(ReferenceSequences, AFourierOperatorOfAllModesAndUnitWeightsIsTheIdentity) {
  using T = TypeParam;
  for (const std::int64_t n : {1, 2, 3, 8, 9}) {
    const auto x = this->drawn({2, 1, n}, 1);
    const std::int64_t modes = n / 2 + 1;
    const std::vector<T> ones(static_cast<std::size_t>(modes), 1), zeros(static_cast<std::size_t>(modes), 0);
    const auto y = this->run("fft_fno", {x, {{modes, 1, 1}, ones}, {{modes, 1, 1}, zeros}}, {2, 1, n});
    for (std::size_t i = 0; i < x.values.size(); ++i)
      EXPECT_NEAR(y.values[i], x.values[i], 20 * std::numeric_limits<T>::epsilon()) << n << " points, element " << i;
  }
}

TYPED_TEST(ReferenceSequences, QuarterTurnsAreExact) {
  using T = TypeParam;  // the second mode of four points is (x0 - x2) + i (x3 - x1); i times it turns back by a quarter
  const T big = std::ldexp(T(1), 40);
  const auto turned =
      this->run("fft_fno", {{{1, 4}, {big, 1, 0, 0}}, {{2, 1, 1}, {0, 0}}, {{2, 1, 1}, {0, 1}}}, {1, 4});
  EXPECT_TRUE(same_bits(turned.values, {T(0.5), -big / 2, T(-0.5), big / 2}));
}

TYPED_TEST(ReferenceSequences, TheFourierSequenceIsThatOfTheSpecification) {
  using T = TypeParam;
  const auto x = this->drawn({1, 5}, 1), w_re = this->drawn({2, 1, 1}, 2), w_im = this->drawn({2, 1, 1}, 3);
  std::vector<T> cosines, sines, expected;
  for (int r = 0; r < 5; ++r) {
    const int quarters = 4 * r / 5;
    const double rest = (4 * r % 5) * (std::numbers::pi / 2) / 5, c = strict::cos(rest), s = strict::sin(rest);
    cosines.push_back(static_cast<T>(quarters == 0 ? c : quarters == 1 ? -s : quarters == 2 ? -c : s));
    sines.push_back(static_cast<T>(quarters == 0 ? s : quarters == 1 ? c : quarters == 2 ? -s : -c));
  }
  std::vector<T> y_re, y_im;
  for (std::size_t k = 0; k < 2; ++k) {
    T re = 0, im = 0;
    for (std::size_t j = 0; j < 5; ++j) re += x.values[j] * cosines[k * j % 5], im -= x.values[j] * sines[k * j % 5];
    y_re.push_back(T(0) + (re * w_re.values[k] - im * w_im.values[k]));
    y_im.push_back(T(0) + (re * w_im.values[k] + im * w_re.values[k]));
  }
  for (std::size_t j = 0; j < 5; ++j) {
    T y = T(0) + (y_re[0] * cosines[0] - y_im[0] * sines[0]);
    y += 2 * (y_re[1] * cosines[j] - y_im[1] * sines[j]);
    expected.push_back(y / 5);
  }
  EXPECT_TRUE(same_bits(this->run("fft_fno", {x, w_re, w_im}, {1, 5}).values, expected));
}

TYPED_TEST(ReferenceSequences, RefuseShapesThatDoNotFit) {
  using T = TypeParam;
  Call scan = this->call("selective_scan");
  for (int i = 0; i < 3; ++i) scan.operand<T>({1, 2}, {1, 2});
  scan.operand<T>({1}, {1}).template output<T>({1, 2});
  EXPECT_EQ(scan.prepare(), TENON_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(TestHost::error, "[selective_scan] operand 3 (1), result (1, 2)");
  Call attention = this->call("scaled_dot_product_attention");
  attention.operand<T>({1, 2}, {1, 2}).template operand<T>({1, 1}, {1}).template operand<T>({1, 1}, {1});
  attention.operand<T>({1, 1}, {1}).template output<T>({1, 1});
  EXPECT_EQ(attention.prepare(), TENON_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(TestHost::error, "[scaled_dot_product_attention] query (1, 2), key (1, 1), value (1, 1), mask (1, 1)");
  Call fourier = this->call("fft_fno");
  fourier.operand<T>({1, 1}, {1}).template operand<T>({2, 1, 1}, {1, 1}).template operand<T>({2, 1, 1}, {1, 1});
  fourier.template output<T>({1, 1});
  EXPECT_EQ(fourier.prepare(), TENON_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(TestHost::error, "[fft_fno] x (1, 1), weights (2, 1, 1), result (1, 1)");
}

}  // namespace
}  // namespace tenon::testing
