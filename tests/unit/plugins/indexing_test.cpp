// The layout family's kernels that take or put together parts of tensors.
#include "harness.h"

namespace tenon::testing {
namespace {

using Indices = std::vector<std::uint32_t>;

template <class T>
class ReferenceIndexing : public RealTest<T> {
 protected:
  static void slice(Call& call, const Extents& output, std::int64_t axis, std::int64_t start, std::int64_t stop) {
    call.operand<T>({2, 3}, {1, 2, 3, 4, 5, 6}).template output<T>(output);
    call.integer("axis", axis).integer("start", start).integer("stop", stop);
  }
  static std::vector<T> sliced(const Extents& output, std::int64_t axis, std::int64_t start, std::int64_t stop) {
    Call call = RealTest<T>::call("slice");
    slice(call, output, axis, start, stop);
    EXPECT_EQ(call.run(), TENON_OK) << TestHost::error;
    return call.result<T>();
  }
  static std::string refused(const Extents& output, std::int64_t axis) {
    Call call = RealTest<T>::call("slice");
    slice(call, output, axis, 0, 1);
    EXPECT_EQ(call.prepare(), TENON_ERROR_INVALID_ARGUMENT);
    return TestHost::error;
  }
};
TYPED_TEST_SUITE(ReferenceIndexing, Reals);

TYPED_TEST(ReferenceIndexing, ConcatsAlongAnAxis) {
  using T = TypeParam;
  Call call = this->call("concat");
  call.operand<T>({2, 1}, {1, 2}).template operand<T>({2, 2}, {3, 4, 5, 6}).template output<T>({2, 3});
  call.integer("axis", -1);
  ASSERT_EQ(call.run(), TENON_OK) << TestHost::error;
  EXPECT_TRUE(same_bits(call.template result<T>(), {1, 3, 4, 2, 5, 6}));
}

TYPED_TEST(ReferenceIndexing, RefusesToConcatWhatDoesNotFit) {
  using T = TypeParam;
  Call call = this->call("concat");
  call.operand<T>({2, 1}, {1, 2}).template operand<T>({1, 2}, {3, 4}).template output<T>({2, 2});
  EXPECT_EQ(call.prepare(), TENON_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(TestHost::error, "[concat] left (2, 1), right (1, 2) along axis 0");
}

TYPED_TEST(ReferenceIndexing, SlicesAsPython) {
  EXPECT_TRUE(same_bits(this->sliced({2, 1}, 1, 1, -1), {2, 5}));
  EXPECT_TRUE(same_bits(this->sliced({1, 3}, -2, -1, 99), {4, 5, 6}));
  EXPECT_TRUE(this->sliced({2, 0}, 1, 2, 1).empty());
}

TYPED_TEST(ReferenceIndexing, RefusesASliceOfAnotherShape) {
  EXPECT_EQ(this->refused({2, 2}, 1), "[slice] x (2, 3) from 0 to 1 is not (2, 2)");
  EXPECT_EQ(this->refused({2}, 1), "[slice] x (2, 3) is not (2)");
  EXPECT_EQ(this->refused({2, 1}, 2), "[slice] axis 2, rank 2");
}

TYPED_TEST(ReferenceIndexing, GathersAlongAnAxis) {
  using T = TypeParam;
  Call call = this->call("gather");
  call.operand<T>({2, 3}, {1, 2, 3, 4, 5, 6}).operand({4}, Indices{2, 0, 2, 1}).template output<T>({2, 4});
  call.integer("axis", 1);
  ASSERT_EQ(call.run(), TENON_OK) << TestHost::error;
  EXPECT_TRUE(same_bits(call.template result<T>(), {3, 1, 3, 2, 6, 4, 6, 5}));
}

TYPED_TEST(ReferenceIndexing, RefusesIndicesBeyondTheAxisBeforeItReads) {
  using T = TypeParam;
  Call gather = this->call("gather");
  gather.operand<T>({2, 1}, {1, 2}).operand({2}, Indices{0, 2}).template output<T>({2, 1});
  EXPECT_EQ(gather.run(), TENON_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(TestHost::error, "[gather] indices: element 1 is 2, but axis 0 of x has size 2");
  Call scatter = this->call("scatter_add");
  scatter.operand<T>({2}, {1, 2}).template operand<T>({1}, {1}).operand({1}, Indices{4000000000});
  EXPECT_EQ(scatter.template output<T>({2}).run(), TENON_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(TestHost::error, "[scatter_add] indices: element 0 is 4000000000, but axis 0 of x has size 2");
}

TYPED_TEST(ReferenceIndexing, ScattersInTheOrderOfTheIndices) {
  using T = TypeParam;
  const T big = std::ldexp(T(1), std::numeric_limits<T>::digits);  // beside it 1 is lost
  Call call = this->call("scatter_add");
  call.operand<T>({2}, {1, -0.0}).template operand<T>({4}, {big, 3, -big, 1}).operand({4}, Indices{0, 1, 0, 0});
  call.template output<T>({2});
  ASSERT_EQ(call.run(), TENON_OK) << TestHost::error;
  EXPECT_TRUE(same_bits(call.template result<T>(), {1, 3}));
}

TYPED_TEST(ReferenceIndexing, RefusesValuesThatDoNotFit) {
  using T = TypeParam;
  Call call = this->call("scatter_add");
  call.operand<T>({2}, {1, 2}).template operand<T>({2}, {1, 2}).operand({1}, Indices{0}).template output<T>({2});
  EXPECT_EQ(call.prepare(), TENON_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(TestHost::error, "[scatter_add] x (2), indices (1), picked (2)");
}

}  // namespace
}  // namespace tenon::testing
