#include "tenon/draw.h"

#include <gtest/gtest.h>

#include "tenon/init_builders.h"

namespace tenon {
namespace {

/// One of each kind that draws, for five elements.
std::vector<FloatInit> kinds() {
  return {init::zeros(),
          init::ones(),
          init::uniform(-0.5, 2, 3),
          init::normal(1, 0.5, 4),
          init::XavierUniform{3, 4, 5},
          init::KaimingUniform{6, 6},
          init::flat({1, 0.1, -3, 1e300, 5})};
}

TEST(Draw, GivesTheSamplesOfEachKind) {
  for (const FloatInit& scheme : kinds()) {
    const auto values = float_array_of(5, scheme);
    ASSERT_TRUE(values) << scheme.index();
    for (std::size_t i = 0; i < 5; ++i) EXPECT_EQ((*values)[i], sample_at(scheme, i)) << scheme.index() << ", " << i;
  }
}

TEST(Draw, RoundsOnceToFloat) {
  for (const FloatInit& scheme : kinds()) {
    std::vector<float> values(5);
    ASSERT_TRUE(draw(scheme, values)) << scheme.index();
    for (std::size_t i = 0; i < 5; ++i)
      EXPECT_EQ(values[i], static_cast<float>(sample_at(scheme, i))) << scheme.index() << ", " << i;
  }
}

TEST(Draw, KeepsFloatsBelowTheUpperBound) {
  const double high = 1 + 0x1p-40;
  std::vector<float> values(64);
  ASSERT_TRUE(draw(init::uniform(1, high, 0), values));
  for (const float value : values) EXPECT_EQ(value, 1.0F);
}

TEST(Draw, RefusesWhatIsNotValid) {
  EXPECT_EQ(float_array_of(2, init::flat({1})).error().text, "[init] flat: found 1 values, expected 2");
  EXPECT_EQ(float_array_of(-2, init::ones()).error().text, "[init] found -2 elements, expected 0 to 2^48");
  EXPECT_FALSE(float_array_of(3, init::uniform(2, 1)));
}

TEST(Draw, FillsNothing) { EXPECT_EQ(*float_array_of(0, init::KaimingUniform{}), std::vector<double>()); }

TEST(Scheme, TakesFansFromTheShape) {
  EXPECT_EQ(*of_scheme(Scheme::zeros, Shape{3}, 1), FloatInit(init::Zeros{}));
  EXPECT_EQ(*of_scheme(Scheme::ones, Shape{3}, 1), FloatInit(init::Ones{}));
  EXPECT_EQ(*of_scheme(Scheme::kaiming_uniform, {8, 3, 5, 5}, 1), FloatInit(init::KaimingUniform{75, 1}));
  EXPECT_EQ(*of_scheme(Scheme::xavier_uniform, {8, 3, 5, 5}, 2), FloatInit(init::XavierUniform{75, 200, 2}));
  EXPECT_EQ(*of_scheme(Scheme::normal, Shape{3}, 4), FloatInit(init::Normal{0, 1, 4}));
}

TEST(Scheme, RefusesShapesWithoutFans) {
  EXPECT_EQ(of_scheme(Scheme::kaiming_uniform, Shape{3}, 1).error().text,
            "[init] fans of (3): found rank 1, expected 2 or more, needed by kaiming_uniform");
  EXPECT_EQ(of_scheme(Scheme::xavier_uniform, {batch, 3}, 1).error().text,
            "[init] fans of (batch, 3): found an unknown or absurd extent, expected at most 2^48 elements, needed by "
            "xavier_uniform");
}

TEST(Scheme, CountsElements) {
  static_assert(dim_product(Shape{2, 3, 4}) == 24 && dim_product(Shape{}) == 1 && dim_product(Shape{2, 0}) == 0);
}

}  // namespace
}  // namespace tenon
