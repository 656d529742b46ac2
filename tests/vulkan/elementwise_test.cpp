// tenon/elementwise.h as C++ has it; as GLSL has it the certificate compares it with the CPU.
#include <gtest/gtest.h>

#include <bit>
#include <limits>

#include "tenon/elementwise.h"

namespace tenon::elementwise {
namespace {

std::uint32_t bits(float x) { return std::bit_cast<std::uint32_t>(x); }

TEST(Elementwise, TakesTheSignFromZeros) {
  EXPECT_EQ(bits(elementwise_abs(-0.0f)), bits(0.0f));
  EXPECT_EQ(bits(elementwise_abs(0.0f)), bits(0.0f));
  EXPECT_EQ(elementwise_abs(-3.0f), 3.0f);
}

TEST(Elementwise, ConstantsAreThoseOfTheNumerics) {
  EXPECT_EQ(gelu_angle(1.0), 0x1.9884533d43651p0 * (1 + 0.044715));
  EXPECT_EQ(gelu_angle_slope(0.0), 0x1.9884533d43651p0);
  EXPECT_EQ(gelu_angle_slope(1.0f), float(0x1.9884533d43651p0) * (1 + float(3 * 0.044715)));
  EXPECT_EQ(elementwise_erf_grad(0.0, 1.0), 0x1.20dd750429b6dp0);
}

TEST(Elementwise, FunctionsAreTheStrictOnes) {
  for (const float x : {-3.5f, -0.25f, 0.75f, 12.0f}) {
    EXPECT_EQ(bits(elementwise_sigmoid(x)), bits(strict::sigmoid(x)));
    EXPECT_EQ(bits(elementwise_gelu_grad(x, 2.0f)), bits(2 * strict::gelu_derivative(x)));
    EXPECT_EQ(bits(elementwise_safe_log(x, 1e-6f)), bits(strict::log(strict::softplus(x) + 1e-6f)));
  }
}

TEST(Elementwise, GradientsSplitTies) {
  EXPECT_EQ(elementwise_maximum_grad(1.0f, 1.0f, 8.0f), 4.0f);
  EXPECT_EQ(elementwise_minimum_grad(2.0f, 1.0f, 8.0f), 0.0f);
  EXPECT_EQ(elementwise_sqrt_grad(0.0f, 8.0f), 0.0f);
  EXPECT_EQ(elementwise_clamp_grad(1.0f, 8.0f, 0.0f, 1.0f), 8.0f);
}

}  // namespace
}  // namespace tenon::elementwise
