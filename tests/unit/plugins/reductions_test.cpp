#include "harness.h"

namespace tenon::testing {
namespace {

/// The sixteen-lane tree once more, written down level by level from 3-semantics.md.
template <class T>
T tree_by_hand(std::vector<T> sequence) {
  do {
    std::vector<T> sums;
    for (std::size_t block = 0; block < sequence.size(); block += 4096) {
      std::vector<T> lanes(16, T(0));
      for (std::size_t i = block; i < std::min(block + 4096, sequence.size()); ++i)
        lanes[(i - block) % 16] += sequence[i];
      for (std::size_t half = 8; half > 0; half /= 2) {
        for (std::size_t j = 0; j < half; ++j) lanes[j] += lanes[j + half];
      }
      sums.push_back(lanes[0]);
    }
    sequence = sums.empty() ? std::vector<T>{0} : sums;
  } while (sequence.size() > 1);
  return sequence[0];
}

template <class T>
std::vector<T> uneven(std::size_t count) {
  std::vector<T> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = T(1) / static_cast<T>(i * 7919 % 1009 + 1);
  return values;
}

template <class T>
class ReferenceReductions : public RealTest<T> {
 protected:
  static std::vector<T> reduce(const std::string& op, const Extents& shape, const std::vector<T>& x,
                               const Extents& axes, const Extents& output) {
    Call call = RealTest<T>::call(op);
    call.operand<T>(shape, x).template output<T>(output);
    if (!axes.empty()) call.integers("axes", axes);
    EXPECT_EQ(call.run(), TENON_OK) << TestHost::error;
    return call.result<T>();
  }
};
TYPED_TEST_SUITE(ReferenceReductions, Reals);

TYPED_TEST(ReferenceReductions, SumsInTheOrderOfTheTree) {
  using T = TypeParam;
  for (const std::size_t count : {1u, 16u, 17u, 4096u, 4097u, 70'001u}) {
    const std::vector<T> x = uneven<T>(count);
    EXPECT_TRUE(
        same_bits(this->reduce("reduce_sum", {static_cast<std::int64_t>(count)}, x, {}, {}), {tree_by_hand(x)}));
  }
}

TYPED_TEST(ReferenceReductions, AddsAnElementToItsLaneBeforeItsNeighbour) {
  using T = TypeParam;
  std::vector<T> x(17, 0);
  x[0] = T(1e20), x[1] = 1, x[16] = T(-1e20);  // from left to right the 1 would be lost
  EXPECT_TRUE(same_bits(this->reduce("reduce_sum", {17}, x, {}, {}), {1}));
}

TYPED_TEST(ReferenceReductions, ReducesAnyAxes) {
  using T = TypeParam;
  const std::vector<T> x{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};  // (2, 3, 2)
  EXPECT_TRUE(same_bits(this->reduce("reduce_sum", {2, 3, 2}, x, {0}, {3, 2}), {8, 10, 12, 14, 16, 18}));
  EXPECT_TRUE(same_bits(this->reduce("reduce_sum", {2, 3, 2}, x, {1}, {2, 2}), {9, 12, 27, 30}));
  EXPECT_TRUE(same_bits(this->reduce("reduce_sum", {2, 3, 2}, x, {-1}, {2, 3}), {3, 7, 11, 15, 19, 23}));
  EXPECT_TRUE(same_bits(this->reduce("reduce_sum", {2, 3, 2}, x, {0, 2}, {3}), {18, 26, 34}));
  EXPECT_TRUE(same_bits(this->reduce("reduce_sum", {2, 3, 2}, x, {2, 0}, {3}), {18, 26, 34}));
  EXPECT_TRUE(same_bits(this->reduce("reduce_mean", {2, 3, 2}, x, {1, 2}, {2}), {T(3.5), T(9.5)}));
  EXPECT_TRUE(same_bits(this->reduce("reduce_max", {2, 3, 2}, x, {0, 1}, {2}), {11, 12}));
}

TYPED_TEST(ReferenceReductions, TakesSeveralAxesAsOneRowMajorSequence) {
  using T = TypeParam;
  const std::vector<T> x = uneven<T>(2 * 3 * 40);
  std::vector<T> expected;
  for (std::size_t kept = 0; kept < 3; ++kept) {
    std::vector<T> sequence;
    for (std::size_t a = 0; a < 2; ++a) {
      for (std::size_t c = 0; c < 40; ++c) sequence.push_back(x[(a * 3 + kept) * 40 + c]);
    }
    expected.push_back(tree_by_hand(sequence));
  }
  EXPECT_TRUE(same_bits(this->reduce("reduce_sum", {2, 3, 40}, x, {0, 2}, {3}), expected));
}

TYPED_TEST(ReferenceReductions, KeepsReducedAxesWhenAsked) {
  using T = TypeParam;
  Call call = this->call("reduce_sum");
  call.operand<T>({2, 2}, {1, 2, 3, 4}).template output<T>({2, 1}).integers("axes", {1}).flag("keep_dims", true);
  ASSERT_EQ(call.run(), TENON_OK);
  EXPECT_TRUE(same_bits(call.template result<T>(), {3, 7}));
}

TYPED_TEST(ReferenceReductions, OfNothingAreZeroNanAndAnError) {
  using T = TypeParam;
  EXPECT_TRUE(same_bits(this->reduce("reduce_sum", {2, 0}, {}, {1}, {2}), {0, 0}));
  EXPECT_TRUE(same_bits(this->reduce("reduce_mean", {0}, {}, {}, {}), {nan<T>}));
  EXPECT_TRUE(this->reduce("reduce_max", {0, 3}, {}, {1}, {0}).empty());
  Call call = this->call("reduce_max");
  call.operand<T>({2, 0}, {}).template output<T>({2}).integers("axes", {1});
  EXPECT_EQ(call.run(), TENON_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(TestHost::error, "[reduce_max] of no elements");
}

TYPED_TEST(ReferenceReductions, PropagateNan) {
  using T = TypeParam;
  EXPECT_TRUE(same_bits(this->reduce("reduce_max", {3}, {1, nan<T>, 2}, {}, {}), {nan<T>}));
  EXPECT_TRUE(same_bits(this->reduce("reduce_max", {2}, {T(-0.0), 0}, {}, {}), {0}));
  EXPECT_TRUE(same_bits(this->reduce("reduce_sum", {3}, {1, nan<T>, 2}, {}, {}), {nan<T>}));
}

TYPED_TEST(ReferenceReductions, ShareTheGradientOfMaxAmongTheGreatest) {
  using T = TypeParam;
  Call call = this->call("reduce_max_grad");
  call.operand<T>({2, 3}, {1, 5, 5, 2, 1, 0}).template operand<T>({2}, {5, 2}).template operand<T>({2}, {8, 3});
  call.template output<T>({2, 3}).integers("axes", {1}).in_place(0, 0);
  ASSERT_EQ(call.run(), TENON_OK);
  EXPECT_TRUE(same_bits(call.template result<T>(), {0, 4, 4, 3, 0, 0}));
}

TYPED_TEST(ReferenceReductions, RefuseAxesThatAreNotThereOrTwice) {
  using T = TypeParam;
  const auto refusal = [](const Extents& axes) {
    Call call = RealTest<T>::call("reduce_sum");
    call.operand<T>({2, 2}, {1, 2, 3, 4}).template output<T>({2}).integers("axes", axes);
    EXPECT_EQ(call.prepare(), TENON_ERROR_INVALID_ARGUMENT);
    return TestHost::error;
  };
  EXPECT_EQ(refusal({2}), "[reduce_sum] axis 2 of a tensor of rank 2");
  EXPECT_EQ(refusal({1, -1}), "[reduce_sum] axis -1 is named twice");
}

}  // namespace
}  // namespace tenon::testing
