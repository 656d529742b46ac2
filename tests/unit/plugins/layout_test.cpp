#include "harness.h"

namespace tenon::testing {
namespace {

template <class T>
class ReferenceLayout : public RealTest<T> {
 protected:
  static std::vector<T> permute(const Extents& shape, const std::vector<T>& x, const Extents& axes,
                                const Extents& output) {
    Call call = RealTest<T>::call("permute");
    call.operand<T>(shape, x).template output<T>(output).integers("axes", axes);
    EXPECT_EQ(call.run(), TENON_OK) << TestHost::error;
    return call.result<T>();
  }
  static std::vector<T> broadcast(const Extents& shape, const std::vector<T>& x, const Extents& output) {
    Call call = RealTest<T>::call("broadcast");
    call.operand<T>(shape, x).template output<T>(output).integers("shape", output);
    EXPECT_EQ(call.run(), TENON_OK) << TestHost::error;
    return call.result<T>();
  }
};
TYPED_TEST_SUITE(ReferenceLayout, Reals);

TYPED_TEST(ReferenceLayout, ReshapesByCopy) {
  using T = TypeParam;
  Call call = this->call("reshape");
  call.operand<T>({2, 3}, {1, 2, 3, 4, 5, 6}).template output<T>({3, 2}).integers("shape", {3, 2});
  ASSERT_EQ(call.run(), TENON_OK);
  EXPECT_EQ(call.kernel.alias_count, 0u);
  EXPECT_TRUE(same_bits(call.template result<T>(), {1, 2, 3, 4, 5, 6}));
}

TYPED_TEST(ReferenceLayout, ReshapesInPlaceWhenProposed) {
  using T = TypeParam;
  Call call = this->call("reshape");
  call.operand<T>({2, 2}, {1, 2, 3, nan<T>}).template output<T>({4}).integers("shape", {-1}).in_place(0, 0);
  ASSERT_EQ(call.run(), TENON_OK);
  EXPECT_EQ(call.kernel.alias_count, 1u);
  EXPECT_TRUE(same_bits(call.template result<T>(), {1, 2, 3, nan<T>}));
}

TYPED_TEST(ReferenceLayout, RefusesToReshapeToAnotherNumberOfElements) {
  using T = TypeParam;
  Call call = this->call("reshape");
  call.operand<T>({2, 2}, {1, 2, 3, 4}).template output<T>({3});
  EXPECT_EQ(call.prepare(), TENON_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(TestHost::error, "[reshape] x (2, 2) to (3): different numbers of elements");
}

TYPED_TEST(ReferenceLayout, FlattensAndUnflattensAsReshapeDoes) {
  using T = TypeParam;
  Call flatten = this->call("flatten");
  flatten.operand<T>({1, 2, 2}, {1, 2, 3, 4}).template output<T>({2, 2}).integer("first", 0).in_place(0, 0);
  flatten.integer("last", 1);
  ASSERT_EQ(flatten.run(), TENON_OK);
  EXPECT_EQ(flatten.kernel.alias_count, 1u);
  EXPECT_TRUE(same_bits(flatten.template result<T>(), {1, 2, 3, 4}));
  Call unflatten = this->call("unflatten");
  unflatten.operand<T>({4}, {1, 2, 3, 4}).template output<T>({2, 2}).integer("axis", 0).integers("shape", {2, -1});
  ASSERT_EQ(unflatten.run(), TENON_OK);
  EXPECT_TRUE(same_bits(unflatten.template result<T>(), {1, 2, 3, 4}));
  Call wrong = this->call("flatten");
  wrong.operand<T>({2, 2}, {1, 2, 3, 4}).template output<T>({3});
  EXPECT_EQ(wrong.prepare(), TENON_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(TestHost::error, "[flatten] x (2, 2) to (3): different numbers of elements");
}

TYPED_TEST(ReferenceLayout, PermutesAxes) {
  EXPECT_TRUE(same_bits(this->permute({2, 3}, {1, 2, 3, 4, 5, 6}, {1, 0}, {3, 2}), {1, 4, 2, 5, 3, 6}));
  EXPECT_TRUE(same_bits(this->permute({2, 1, 3}, {1, 2, 3, 4, 5, 6}, {2, 0, 1}, {3, 2, 1}), {1, 4, 2, 5, 3, 6}));
  EXPECT_TRUE(
      same_bits(this->permute({2, 2, 2}, {0, 1, 2, 3, 4, 5, 6, 7}, {1, 2, 0}, {2, 2, 2}), {0, 4, 1, 5, 2, 6, 3, 7}));
  EXPECT_TRUE(same_bits(this->permute({}, {3}, {}, {}), {3}));
  EXPECT_TRUE(this->permute({0, 3}, {}, {1, 0}, {3, 0}).empty());
}

TYPED_TEST(ReferenceLayout, RefusesOrdersThatDoNotFit) {
  using T = TypeParam;
  Call call = this->call("permute");
  call.operand<T>({2, 3}, {1, 2, 3, 4, 5, 6}).template output<T>({2, 3}).integers("axes", {1, 0});
  EXPECT_EQ(call.prepare(), TENON_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(TestHost::error, "[permute] x (2, 3) by (1, 0) is not (2, 3)");
}

TYPED_TEST(ReferenceLayout, BroadcastsAxesOfOneAndMissingOnes) {
  EXPECT_TRUE(same_bits(this->broadcast({3}, {1, 2, 3}, {2, 3}), {1, 2, 3, 1, 2, 3}));
  EXPECT_TRUE(same_bits(this->broadcast({2, 1}, {1, 2}, {2, 3}), {1, 1, 1, 2, 2, 2}));
  EXPECT_TRUE(same_bits(this->broadcast({}, {7}, {2, 2}), {7, 7, 7, 7}));
  EXPECT_TRUE(same_bits(this->broadcast({2, 1, 2}, {1, 2, 3, 4}, {2, 2, 2}), {1, 2, 1, 2, 3, 4, 3, 4}));
  EXPECT_TRUE(this->broadcast({1, 3}, {1, 2, 3}, {0, 3}).empty());
}

TYPED_TEST(ReferenceLayout, RefusesToBroadcastWhatDoesNotFit) {
  using T = TypeParam;
  Call call = this->call("broadcast");
  call.operand<T>({2}, {1, 2}).template output<T>({2, 3});
  EXPECT_EQ(call.prepare(), TENON_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(TestHost::error, "[broadcast] x (2) to (2, 3)");
}

}  // namespace
}  // namespace tenon::testing
