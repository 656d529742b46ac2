// arrays.h: the arrays of tests of references and gradients.
#pragma once
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tenon/reference_recorder.h"

namespace tenon {

using Doubles = std::vector<double>;
inline constexpr double nan = std::numeric_limits<double>::quiet_NaN();

inline HostArray vector_of(Doubles values) { return {Shape{static_cast<Extent>(values.size())}, values}; }

/// A NaN is met by any NaN.
inline void expect_near(const Doubles& found, const Doubles& expected, double tolerance = 1e-12) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i)
    if (std::isnan(expected[i]))
      EXPECT_TRUE(std::isnan(found[i])) << "element " << i << ": " << found[i];
    else
      EXPECT_NEAR(found[i], expected[i], tolerance) << "element " << i;
}

}  // namespace tenon
