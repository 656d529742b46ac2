#include "tenon/fp_environment.h"

#include <gtest/gtest.h>

#include <cfenv>
#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace tenon {
namespace {

TEST(FpEnvironment, IsStrictAtTheStart) { EXPECT_TRUE(fp_environment_is_strict()); }

TEST(FpEnvironment, SetsRoundingBack) {
  std::fesetround(FE_DOWNWARD);
  EXPECT_FALSE(fp_environment_is_strict());
  set_fp_environment();
  EXPECT_TRUE(fp_environment_is_strict());
  EXPECT_EQ(std::fegetround(), FE_TONEAREST);
}

#if defined(__x86_64__)
TEST(FpEnvironment, EndsFlushingAndKeepsTheRest) {
  const unsigned before = _mm_getcsr();
  for (const unsigned bit : {0x8000u, 0x0040u, 0x8040u}) {
    _mm_setcsr(before | bit);
    EXPECT_FALSE(fp_environment_is_strict());
    set_fp_environment();
    EXPECT_EQ(_mm_getcsr(), before);
  }
}
#endif

}  // namespace
}  // namespace tenon
