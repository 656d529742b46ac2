#include <cmath>

#include "support/test_device.h"
#include "tenon/kernel.h"

namespace tenon::test {
namespace {

Request filled(double value, Extent elements = 3) {
  return {Op::fill, Constant{Shape{elements}, value}, {}, {{DType::f32, Shape{elements}}}};
}

TEST(SameAttributes, TakesEveryNaNForTheSame) {
  const Attributes nan = Constant{Shape{3}, std::nan("")}, other_nan = Constant{Shape{3}, -std::nan("7")};
  EXPECT_TRUE(same_attributes(nan, other_nan));
  EXPECT_FALSE(same_attributes(nan, Constant{Shape{2}, std::nan("")}));
  EXPECT_FALSE(same_attributes(nan, Constant{Shape{3}, 0}));
  EXPECT_FALSE(same_attributes(nan, Factor{std::nan("")}));
  EXPECT_TRUE(same_attributes(Factor{2}, Factor{2}));
}

TEST(KernelCache, KeepsOneKernelForEachRequest) {
  KernelCache cache(registry_of("cpu", policy_of(DType::f32)));
  const auto first = *cache.get(filled(1));
  EXPECT_EQ(*cache.get(filled(1)), first);
  EXPECT_NE(*cache.get(filled(2)), first);
  EXPECT_EQ(*cache.get(filled(std::nan(""))), *cache.get(filled(std::nan(""))));
  EXPECT_EQ(cache.size(), 3u);
}

TEST(KernelCache, LetsGoOfTheOneThatWasUsedLongestAgo) {
  KernelCache cache(registry_of("cpu", policy_of(DType::f32)), 2);
  const auto nan = *cache.get(filled(std::nan(""))), one = *cache.get(filled(1));
  EXPECT_EQ(*cache.get(filled(std::nan(""))), nan);
  ASSERT_TRUE(cache.get(filled(2)));
  EXPECT_EQ(cache.size(), 2u);
  EXPECT_EQ(*cache.get(filled(std::nan(""))), nan);
  EXPECT_NE(*cache.get(filled(1)), one);
}

}  // namespace
}  // namespace tenon::test
