#include "harness.h"
#include "tenon/numerics.h"

namespace tenon::testing {
namespace {

template <class T>
class ReferencePooling : public RealTest<T> {
 protected:
  /// Windows of three along one axis, one apart, padded by one: as many results as elements.
  static std::vector<T> pooled(const std::string& op, const std::vector<T>& x) {
    Call call = RealTest<T>::call(op);
    call.operand<T>(along(x), x).template output<T>(along(x)).integers("kernel", {3});
    call.integers("stride", {1}).integers("padding", {1});
    return result(call);
  }
  static Extents along(const std::vector<T>& x) { return {1, 1, static_cast<std::int64_t>(x.size())}; }
  static std::vector<T> result(Call& call) {
    EXPECT_EQ(call.run(), TENON_OK) << TestHost::error;
    return call.result<T>();
  }
  static std::vector<T> gradient(const std::string& op, const std::vector<T>& x, const std::vector<T>& upstream) {
    Call call = RealTest<T>::call(op);
    call.operand<T>(along(x), x).template operand<T>(along(x), upstream).template output<T>(along(x));
    call.integers("kernel", {3}).integers("stride", {1}).integers("padding", {1});
    return result(call);
  }
};
TYPED_TEST_SUITE(ReferencePooling, Reals);

TYPED_TEST(ReferencePooling, TakesTheGreatestWithoutThePadding) {
  using T = TypeParam;
  EXPECT_TRUE(same_bits(this->pooled("max_pool", {-1, -2, -3, nan<T>, 5, 6}), {-1, -1, nan<T>, nan<T>, nan<T>, 6}));
  EXPECT_TRUE(same_bits(this->pooled("max_pool", {-0.0, 0.0, -0.0, -0.0, -0.0}), {0.0, 0.0, 0.0, -0.0, -0.0}));
}

TYPED_TEST(ReferencePooling, SendsTheGradientToTheFirstGreatest) {
  using T = TypeParam;
  EXPECT_TRUE(same_bits(this->gradient("max_pool_grad", {1, 1, 0, 2}, {1, 10, 100, 1000}), {11, 0, 0, 1100}));
  EXPECT_TRUE(same_bits(this->gradient("max_pool_grad", {nan<T>, 1, nan<T>, 2}, {1, 10, 100, 1000}), {11, 0, 1100, 0}));
  EXPECT_TRUE(same_bits(this->gradient("max_pool_grad", {-0.0, 0.0}, {1, 10}), {11, 0}));
}

TYPED_TEST(ReferencePooling, AveragesOverThePaddingToo) {
  EXPECT_TRUE(same_bits(this->pooled("avg_pool", {3, 6, 9}), {3, 6, 5}));
  EXPECT_TRUE(same_bits(this->gradient("avg_pool_grad", {0, 0, 0}, {3, 6, 9}), {3, 6, 5}));
}

TYPED_TEST(ReferencePooling, AddsGradientsInTheOrderOfTheWindows) {
  using T = TypeParam;
  const T big = std::ldexp(T(3), std::numeric_limits<T>::digits);  // a third of it makes 1 vanish
  EXPECT_TRUE(same_bits(this->gradient("avg_pool_grad", {0, 0, 0}, {3, big, -big}), {big / 3, 0, 0}));
  EXPECT_TRUE(same_bits(this->gradient("max_pool_grad", {0, 1, 0}, {1, big, -big}), {0, 0, 0}));
  EXPECT_TRUE(same_bits(this->gradient("max_pool_grad", {0, 1, 0}, {big, -big, 1}), {0, 1, 0}));
}

TYPED_TEST(ReferencePooling, SmoothsTheMaximumInTheOrderOfTheWindow) {
  using T = TypeParam;
  for (const T beta : {T(0.7), T(-0.7)}) {
    Call call = this->call("smooth_max_pool");
    const std::vector<T> x{T(0.3), -1, T(2.5)};
    call.operand<T>({1, 1, 3}, x).template output<T>({1, 1, 2}).integers("kernel", {3}).real("beta", beta);
    call.integers("stride", {2}).integers("padding", {1});  // windows (0, 0.3, -1) and (-1, 2.5, 0)
    const auto smooth = [=](T a, T b, T c, T peak) {
      const T sum = strict::exp(beta * (a - peak)) + strict::exp(beta * (b - peak)) + strict::exp(beta * (c - peak));
      return peak + strict::log(sum) / beta;
    };
    const std::vector<T> peaks = beta > 0 ? std::vector<T>{x[0], x[2]} : std::vector<T>{-1, -1};
    EXPECT_TRUE(same_bits(this->result(call), {smooth(0, x[0], x[1], peaks[0]), smooth(x[1], x[2], 0, peaks[1])}));
  }
}

TYPED_TEST(ReferencePooling, StridesByTheKernelUnlessTold) {
  using T = TypeParam;
  Call call = this->call("max_pool");
  call.operand<T>({1, 1, 2, 4}, {1, 2, 3, 4, 5, 6, 7, 8}).template output<T>({1, 1, 1, 2});
  call.integers("kernel", {2, 2});
  EXPECT_TRUE(same_bits(this->result(call), {6, 8}));
}

TYPED_TEST(ReferencePooling, RefusesShapesThatDoNotFit) {
  using T = TypeParam;
  Call call = this->call("avg_pool");
  call.operand<T>({1, 1, 3}, {1, 2, 3}).template output<T>({1, 1, 2}).integers("kernel", {2});
  EXPECT_EQ(call.prepare(), TENON_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(TestHost::error,
            "[avg_pool] spatial axis 0: kernel 2, stride 2, padding 0, dilation 1 for 3 inputs and 2 outputs");
  Call rank = this->call("max_pool");
  rank.operand<T>({1, 3}, {1, 2, 3}).template output<T>({1, 3}).integers("kernel", {1});
  EXPECT_EQ(rank.prepare(), TENON_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(TestHost::error, "[max_pool] x (1, 3), pooled (1, 3)");
}

}  // namespace
}  // namespace tenon::testing
