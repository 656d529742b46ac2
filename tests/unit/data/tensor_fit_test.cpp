#include "tenon/tensor_fit.h"

#include <gtest/gtest.h>

#include <cstring>

namespace tenon {
namespace {

NamedTensor tensor_of(std::string name, DType dtype, const Shape& shape) {
  return {std::move(name), dtype, shape,
          std::vector<std::byte>(static_cast<std::size_t>(known_elements(shape)) * size_bytes(dtype))};
}

const std::vector<ExpectedTensor> wanted{{"w", {2, 3}, DType::f32}, {"b", Shape{3}, DType::f64}};

TEST(TensorFit, ATensorOfTheSameShapeAndNoWiderFits) {
  for (const DType b : {DType::f32, DType::f64})
    EXPECT_TRUE(
        misfits({{}, {tensor_of("b", b, Shape{3}), tensor_of("w", DType::f32, {2, 3})}}, wanted, "model").empty());
}

TEST(TensorFit, EveryProblemHasALine) {
  const TensorFile file{{},
                        {tensor_of("w", DType::f64, {2, 3}), tensor_of("b", DType::u32, Shape{3}),
                         tensor_of("more", DType::f32, Shape{1}), tensor_of("other", DType::f32, Shape{1})}};
  const auto is_other = [](std::string_view name) { return name == "other"; };
  EXPECT_EQ(misfits(file, wanted, "model", is_other),
            (std::vector<std::string>{"too wide w: the file has f64 (2, 3), the model f32 (2, 3)",
                                      "mismatched b: the file has u32 (3), the model f64 (3)",
                                      "extra more: the file has f32 (1)"}));
  EXPECT_EQ(misfits({}, wanted, "program"),
            (std::vector<std::string>{"missing w: the program has f32 (2, 3)", "missing b: the program has f64 (3)"}));
  EXPECT_EQ(misfits({{}, {tensor_of("w", DType::f64, {3, 2}), tensor_of("b", DType::f64, Shape{3})}}, wanted, "model"),
            (std::vector<std::string>{"mismatched w: the file has f64 (3, 2), the model f32 (2, 3)"}));
}

TEST(TensorFit, OnlyWidthIsHelpedByDouble) {
  const std::vector<std::string> wide{"too wide a: x", "too wide b: x"}, mixed{"too wide a: x", "missing b: x"};
  EXPECT_EQ(misfit_error("[checkpoint] f", "the model", wide, "hint").value().hint,
            "values are never narrowed: use --dtype float");
  const Error error = misfit_error("[checkpoint] f", "the model", mixed, "hint").value();
  EXPECT_EQ(error.reason, Reason::CHECKPOINT_MISMATCH);
  EXPECT_EQ(error.text, "[checkpoint] f does not fit the model:\n    too wide a: x\n    missing b: x");
  EXPECT_EQ(error.hint, "hint");
}

TEST(TensorFit, ALongReportSaysHowMuchIsLeftOut) {
  const std::vector<std::string> many(23, "missing");
  const std::string text = misfit_error("[checkpoint] f", "m", many, "").value().text;
  EXPECT_TRUE(text.ends_with("missing\n    and 3 more")) << text;
  EXPECT_EQ(std::ranges::count(text, '\n'), 21);
}

TEST(TensorFit, OnlyAnotherFormatIsRefused) {
  EXPECT_TRUE(check_format("[f] x", {}, "a-1", "hint"));
  EXPECT_TRUE(check_format("[f] x", {{{"format", "a-1"}}, {}}, "a-1", "hint"));
  const auto refused = check_format("[f] x", {{{"format", "a-2"}}, {}}, "a-1", "hint");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().text, "[f] x: found the format \"a-2\", expected a-1");
  EXPECT_EQ(refused.error().hint, "hint");
}

TEST(TensorFit, WidensExactly) {
  const float narrow[] = {0.1F, -1e-40F};
  NamedTensor tensor = tensor_of("t", DType::f32, Shape{2});
  std::memcpy(tensor.bytes.data(), narrow, sizeof narrow);
  EXPECT_EQ(bytes_as(tensor, DType::f32), tensor.bytes);
  const std::vector<std::byte> wide = bytes_as(tensor, DType::f64);
  double values[2];
  ASSERT_EQ(wide.size(), sizeof values);
  std::memcpy(values, wide.data(), sizeof values);
  EXPECT_EQ(values[0], static_cast<double>(0.1F));
  EXPECT_EQ(values[1], static_cast<double>(-1e-40F));
}

}  // namespace
}  // namespace tenon
