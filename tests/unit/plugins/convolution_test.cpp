#include "harness.h"

namespace tenon::testing {
namespace {

template <class T>
class ReferenceConvolution : public RealTest<T> {
 protected:
  /// One sample, one channel, along one axis; a third operand of one element is a bias.
  static void line(Call& call, const std::vector<T>& first, const std::vector<T>& second, const std::vector<T>& third,
                   std::int64_t outputs) {
    const auto along = [](const std::vector<T>& x) { return Extents{1, 1, static_cast<std::int64_t>(x.size())}; };
    call.operand<T>(along(first), first).template operand<T>(along(second), second);
    call.operand<T>(third.size() == 1 ? Extents{1} : along(third), third).template output<T>({1, 1, outputs});
  }
  static std::vector<T> result(Call& call) {
    EXPECT_EQ(call.run(), TENON_OK) << TestHost::error;
    return call.result<T>();
  }
};
TYPED_TEST_SUITE(ReferenceConvolution, Reals);

TYPED_TEST(ReferenceConvolution, CorrelatesWithoutTurningTheKernel) {
  Call call = this->call("conv");
  this->line(call, {1, 2, 3, 4}, {10, 1}, {1000}, 3);
  EXPECT_TRUE(same_bits(this->result(call), {1012, 1023, 1034}));
}

TYPED_TEST(ReferenceConvolution, StridesPadsAndDilates) {
  Call call = this->call("conv");
  this->line(call, {1, 2, 3, 4, 5}, {100, 10, 1}, {0}, 2);
  call.integers("stride", {2}).integers("padding", {1}).integers("dilation", {2});
  EXPECT_TRUE(same_bits(this->result(call), {24, 240}));
}

TYPED_TEST(ReferenceConvolution, FoldsInOrderWithTheBiasLast) {
  using T = TypeParam;
  const T big = std::ldexp(T(1), std::numeric_limits<T>::digits);  // beside it 1 is lost
  Call call = this->call("conv");
  this->line(call, {1, 1, 1}, {1, big, -big}, {1}, 1);
  EXPECT_TRUE(same_bits(this->result(call), {1}));
  Call last = this->call("conv");
  this->line(last, {1, 1}, {big, 1}, {-big}, 1);
  EXPECT_TRUE(same_bits(this->result(last), {0}));
}

TYPED_TEST(ReferenceConvolution, ReadsPaddingAsZero) {
  using T = TypeParam;
  Call call = this->call("conv");
  this->line(call, {-1, -1}, {infinity<T>, 1}, {0}, 3);
  call.integers("padding", {1});
  EXPECT_TRUE(same_bits(this->result(call), {nan<T>, -infinity<T>, -infinity<T>}));
  Call weights = this->call("conv_grad_weight");
  this->line(weights, {1, 1}, {0, 0}, {infinity<T>, 1, 2}, 2);
  weights.integers("padding", {1});
  EXPECT_TRUE(same_bits(this->result(weights), {nan<T>, infinity<T>}));
}

TYPED_TEST(ReferenceConvolution, KeepsGroupsApart) {
  using T = TypeParam;
  Call call = this->call("conv");
  call.operand<T>({1, 2, 1}, {1, 2}).template operand<T>({4, 1, 1}, {10, 20, 30, 40});
  call.operand<T>({4}, {1, 1, 1, 1}).template output<T>({1, 4, 1}).integer("groups", 2);
  EXPECT_TRUE(same_bits(this->result(call), {11, 21, 61, 81}));
}

TYPED_TEST(ReferenceConvolution, TransposesByLeavingOutTapsThatNoOutputHas) {
  using T = TypeParam;
  Call call = this->call("conv_transpose");
  this->line(call, {1, 2}, {100, infinity<T>, 1}, {0}, 5);
  call.integers("stride", {2});
  EXPECT_TRUE(same_bits(this->result(call), {100, infinity<T>, 201, infinity<T>, 2}));
}

TYPED_TEST(ReferenceConvolution, SendsGradientsBackToInputAndWeight) {
  Call input = this->call("conv_grad_input");
  this->line(input, {0, 0, 0, 0}, {10, 1}, {1, 2}, 4);
  input.integers("stride", {2});
  EXPECT_TRUE(same_bits(this->result(input), {10, 1, 20, 2}));
  Call weight = this->call("conv_grad_weight");
  this->line(weight, {1, 2, 3, 4}, {0, 0}, {10, 1}, 2);
  weight.integers("stride", {2});
  EXPECT_TRUE(same_bits(this->result(weight), {13, 24}));
}

TYPED_TEST(ReferenceConvolution, RefusesShapesThatDoNotFit) {
  Call call = this->call("conv");
  this->line(call, {1, 2, 3}, {1, 1}, {0}, 3);
  EXPECT_EQ(call.prepare(), TENON_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(TestHost::error,
            "[conv] spatial axis 0: kernel 2, stride 1, padding 0, dilation 1 for 3 inputs and 3 outputs");
  using T = TypeParam;
  Call channels = this->call("conv");
  channels.operand<T>({1, 1, 1}, {1}).template operand<T>({1, 2, 1}, {1, 1}).template operand<T>({1}, {0});
  EXPECT_EQ(channels.template output<T>({1, 1, 1}).prepare(), TENON_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(TestHost::error, "[conv] input (1, 1, 1), weight (1, 2, 1), output (1, 1, 1)");
}

}  // namespace
}  // namespace tenon::testing
