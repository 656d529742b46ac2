#include "tenon/scalar_type.h"

#include <gtest/gtest.h>

namespace tenon {
namespace {

using Kind = ScalarType::Kind;
using Mode = Float32Mode;

struct Spelling {
  const char* word;
  ScalarType type;
  const char* canonical;
};

class DTypeSpellings : public testing::TestWithParam<Spelling> {};

TEST_P(DTypeSpellings, ParseAndPrintCanonically) {
  const auto type = parse_dtype(GetParam().word);
  ASSERT_TRUE(type) << GetParam().word;
  EXPECT_EQ(*type, GetParam().type);
  EXPECT_EQ(to_string(*type), GetParam().canonical);
  EXPECT_EQ(parse_dtype(to_string(*type)).value(), *type);
}

INSTANTIATE_TEST_SUITE_P(
    All, DTypeSpellings,
    testing::Values(
        Spelling{"float", {Kind::native}, "float"}, Spelling{"float32", {}, "float32"}, Spelling{"f32", {}, "float32"},
        Spelling{"float32:ieee754exec", {}, "float32"}, Spelling{"float32:ieee754", {}, "float32"},
        Spelling{"f32:ieee32", {}, "float32"}, Spelling{"f32:ieee32exec", {}, "float32"},
        Spelling{"ieee754exec", {}, "float32"}, Spelling{"ieee754", {}, "float32"}, Spelling{"ieee32", {}, "float32"},
        Spelling{"ieee32exec", {}, "float32"}, Spelling{"fast", {Kind::float32, Mode::fast}, "float32:fast"},
        Spelling{"float32:fast", {Kind::float32, Mode::fast}, "float32:fast"},
        Spelling{"f32:fast", {Kind::float32, Mode::fast}, "float32:fast"},
        Spelling{"fp32", {Kind::float32, Mode::fp32}, "float32:fp32"},
        Spelling{"float32:fp32", {Kind::float32, Mode::fp32}, "float32:fp32"},
        Spelling{"complex", {Kind::complex32}, "complex"}, Spelling{"complex32", {Kind::complex32}, "complex"},
        Spelling{"cfloat32", {Kind::complex32}, "complex"}, Spelling{"c32", {Kind::complex32}, "complex"},
        Spelling{"complex:fast", {Kind::complex32, Mode::fast}, "complex:fast"},
        Spelling{"c32:fp32", {Kind::complex32, Mode::fp32}, "complex:fp32"}, Spelling{"real", {Kind::real}, "real"},
        Spelling{"reals", {Kind::real}, "real"}, Spelling{"ℝ", {Kind::real}, "real"}));

TEST(ScalarType, UnknownSpellingsAreUsageErrorsThatSuggestTheNearest) {
  for (const char* word : {"", "Float32", "float64", "float:fast", "float32:", "float32:fst", "real:fast", ":fast"}) {
    const auto type = parse_dtype(word);
    ASSERT_FALSE(type) << word;
    EXPECT_EQ(type.error().reason, Reason::USAGE);
  }
  EXPECT_EQ(parse_dtype("float32:fst").error().hint, "did you mean float32:fast?");
  EXPECT_FALSE(parse_float32_mode("float32"));
  EXPECT_EQ(parse_float32_mode("ieee754").value(), Mode::ieee754exec);
}

TEST(ScalarType, OnlyTheStandardModeIsStrict) {
  EXPECT_TRUE(parse_dtype("float32")->strict());
  for (const char* word : {"float", "fast", "fp32", "complex", "real"})
    EXPECT_FALSE(parse_dtype(word)->strict()) << word;
}

TEST(ScalarType, IdealArithmeticIsNotExecutable) {
  for (const char* word : {"real", "fp32", "float32:fp32", "complex:fp32"})
    EXPECT_FALSE(parse_dtype(word)->executable()) << word;
  for (const char* word : {"float", "float32", "fast", "complex"}) EXPECT_TRUE(parse_dtype(word)->executable()) << word;
}

}  // namespace
}  // namespace tenon
