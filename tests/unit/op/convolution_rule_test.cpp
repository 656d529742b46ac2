// The rules of convolution and pooling.
#include <gtest/gtest.h>

#include "refusal.h"

namespace tenon {
namespace {

constexpr Extent wide = extent("wide");
constexpr Extent longest = std::numeric_limits<Extent>::max();

static_assert(shape_of(Op::conv, {Shape{batch, 3, 32, 32}, Shape{8, 3, 3, 3}, Shape{8}}) == Shape{batch, 8, 30, 30});
static_assert(shape_of(Op::max_pool, {Shape{batch, 8, 28, 28}}, Pool{{2, 2}, {}, {}}) == Shape{batch, 8, 14, 14});

Window padded(const Shape& padding) { return {{}, padding, {}}; }

TEST(ConvRule, CountsHowOftenTheKernelFits) {
  EXPECT_EQ(shape_of(Op::conv, {Shape{2, 3, 9}, Shape{4, 3, 3}, Shape{4}}), (Shape{2, 4, 7}));
  EXPECT_EQ(shape_of(Op::conv, {Shape{2, 3, 9}, Shape{4, 3, 3}, Shape{4}}, Window{Shape{2}, Shape{1}, Shape{2}}),
            (Shape{2, 4, 4}));
  EXPECT_EQ(shape_of(Op::conv, {Shape{2, 3, 5, 6, 7}, Shape{4, 3, 1, 2, 3}, Shape{4}}), (Shape{2, 4, 5, 5, 5}));
  EXPECT_EQ(shape_of(Op::conv, {Shape{2, 6, 5}, Shape{4, 3, 1}, Shape{4}}, Window{{}, {}, {}, 2}), (Shape{2, 4, 5}));
  EXPECT_EQ(shape_of(Op::conv, {Shape{0, 3, 9}, Shape{4, 3, 3}, Shape{4}}), (Shape{0, 4, 7}));
}

TEST(ConvRule, KeepsANamedExtentWhereTheKernelTakesNothingAway) {
  EXPECT_EQ(shape_of(Op::conv, {Shape{2, 3, wide}, Shape{4, 3, 3}, Shape{4}}, padded(Shape{1})), (Shape{2, 4, wide}));
  EXPECT_EQ(shape_of(Op::conv, {Shape{2, 3, wide}, Shape{4, 3, 1}, Shape{4}}), (Shape{2, 4, wide}));
  EXPECT_EQ(shape_of(Op::conv, {Shape{2, 3, wide}, Shape{4, 3, 3}, Shape{4}}, padded(Shape{2})), (Shape{2, 4, dyn}));
  EXPECT_EQ(shape_of(Op::conv, {Shape{2, dyn, dyn}, Shape{4, 3, 3}, Shape{dyn}}), (Shape{2, 4, dyn}));
  EXPECT_EQ(refusal(Op::conv, {Shape{2, 3, wide}, Shape{4, 3, 3}, Shape{4}}),
            "[conv] x (2, 3, wide), weight (4, 3, 3), bias (4): kernel (3) does not fit extent wide of spatial axis 0 "
            "with padding 0 and dilation 1");
}

TEST(ConvRule, RefusesChannelsThatDoNotFit) {
  EXPECT_EQ(refusal(Op::conv, {Shape{2, 3, 9}, Shape{4, 2, 3}, Shape{4}}),
            "[conv] x (2, 3, 9), weight (4, 2, 3), bias (4): x has 3 channels, weight takes 2");
  EXPECT_EQ(refusal(Op::conv, {Shape{2, 3, 9}, Shape{4, 3, 3}, Shape{5}}),
            "[conv] x (2, 3, 9), weight (4, 3, 3), bias (5): weight gives 4 channels, bias has 5");
  EXPECT_EQ(refusal(Op::conv, {Shape{2, 6, 9}, Shape{5, 3, 3}, Shape{5}}, Window{{}, {}, {}, 2}),
            "[conv] x (2, 6, 9), weight (5, 3, 3), bias (5): groups 2 do not divide 5 channels");
  EXPECT_EQ(refusal(Op::conv, {Shape{2, 9}, Shape{4, 3}, Shape{4}}),
            "[conv] x (2, 9), weight (4, 3), bias (4): expected (batch, in, spatial...), (out, in / groups, "
            "kernel...), (out)");
}

TEST(ConvRule, RefusesWindowsThatAreNone) {
  const auto refused = [](const Window& window) {
    return refusal(Op::conv, {Shape{1, 1, 9, 9}, Shape{1, 1, 3, 3}, Shape{1}}, window)
        .substr(std::string_view("[conv] x (1, 1, 9, 9), weight (1, 1, 3, 3), bias (1): ").size());
  };
  EXPECT_EQ(refused({{1, 0}, {}, {}}), "stride (1, 0): expected a number from 1 on for each of 2 spatial axes");
  EXPECT_EQ(refused({{}, Shape{1}, {}}), "padding (1): expected a number from 0 on for each of 2 spatial axes");
  EXPECT_EQ(refused({{}, {}, {-1, 1}}), "dilation (-1, 1): expected a number from 1 on for each of 2 spatial axes");
  EXPECT_EQ(refused({{}, {}, {}, 0}), "groups 0: expected a number from 1 on");
  EXPECT_EQ(refused({{}, {}, {1, 5}}),
            "kernel (3, 3) does not fit extent 9 of spatial axis 1 with padding 0 and dilation 5");
  EXPECT_EQ(refusal(Op::conv, {Shape{1, 1, 9}, Shape{1, 1, 0}, Shape{1}}),
            "[conv] x (1, 1, 9), weight (1, 1, 0), bias (1): kernel (0) has no elements");
}

TEST(WindowRules, RefuseNumbersThatNoTensorIsLongEnoughFor) {
  for (const Extent number : {most_elements + 1, most_elements * 2048, Extent{1} << 59, Extent{1} << 62, longest}) {
    const std::string words = "(" + std::to_string(number) + "): expected numbers up to 281474976710656";
    const auto expect_refused = [&](Op op, std::initializer_list<Shape> operands, const Attributes& attributes,
                                    std::string_view what) {
      const std::string text = refusal(op, operands, attributes);
      EXPECT_TRUE(text.ends_with(": " + std::string(what) + " " + words)) << text;
    };
    for (const Op op : {Op::conv, Op::conv_transpose, Op::conv_grad_input, Op::conv_grad_weight}) {
      const std::initializer_list<Shape> operands = {Shape{1, 1, 9}, Shape{1, 1, 3}, Shape{1}};
      expect_refused(op, operands, Window{Shape{number}, {}, {}}, "stride");
      expect_refused(op, operands, Window{{}, Shape{number}, {}}, "padding");
      expect_refused(op, operands, Window{{}, {}, Shape{number}}, "dilation");
      expect_refused(op, operands, Window{{}, Shape{1}, Shape{number}}, "dilation");
    }
    for (const Op op : {Op::avg_pool, Op::max_pool}) {
      expect_refused(op, {Shape{1, 1, 9}}, Pool{Shape{number}, {}, {}}, "kernel");
      expect_refused(op, {Shape{1, 1, dyn}}, Pool{Shape{number}, {}, Shape{4}}, "kernel");
      expect_refused(op, {Shape{1, 1, 9}}, Pool{Shape{3}, Shape{number}, {}}, "stride");
      expect_refused(op, {Shape{1, 1, 9}}, Pool{Shape{3}, {}, Shape{number}}, "padding");
    }
  }
}

TEST(WindowRules, PaddingDoesNotMakeUpForADilationOfTheSameSize) {
  const std::initializer_list<Shape> operands = {Shape{1, 1, 9}, Shape{1, 1, 3}, Shape{1}};
  EXPECT_NE(refusal(Op::conv, operands, Window{{}, Shape{Extent{1} << 59}, Shape{Extent{1} << 62}}), "");
  for (const Op op : {Op::conv, Op::conv_transpose}) {
    const Shape weight{1, 1, Extent{1} << 30};
    EXPECT_NE(refusal(op, {Shape{1, 1, 9}, weight, Shape{1}}, Window{{}, Shape{most_elements}, Shape{Extent{1} << 40}}),
              "");
  }
}

TEST(WindowRules, CountExactlyUpToTheLargestNumber) {
  const std::initializer_list<Shape> operands = {Shape{1, 1, 9}, Shape{1, 1, 3}, Shape{1}};
  EXPECT_EQ(shape_of(Op::conv, operands, Window{Shape{most_elements}, {}, {}}), (Shape{1, 1, 1}));
  EXPECT_EQ(shape_of(Op::conv, operands, Window{{}, Shape{most_elements}, Shape{most_elements}}), (Shape{1, 1, 9}));
  EXPECT_EQ(refusal(Op::conv, operands, padded(Shape{most_elements})),
            "[conv] x (1, 1, 9), weight (1, 1, 3), bias (1): the result (1, 1, 562949953421319) has too many elements");
  EXPECT_NE(refusal(Op::conv_transpose, operands, Window{Shape{most_elements}, {}, {}}), "");
  EXPECT_EQ(shape_of(Op::avg_pool, {Shape{1, 1, 4}}, Pool{Shape{most_elements}, {}, Shape{most_elements / 2}}),
            (Shape{1, 1, 1}));
}

TEST(ConvTransposeRule, UndoesConv) {
  EXPECT_EQ(shape_of(Op::conv_transpose, {Shape{2, 4, 7}, Shape{4, 3, 3}, Shape{3}}), (Shape{2, 3, 9}));
  EXPECT_EQ(
      shape_of(Op::conv_transpose, {Shape{2, 4, 4}, Shape{4, 3, 3}, Shape{3}}, Window{Shape{2}, Shape{1}, Shape{2}}),
      (Shape{2, 3, 9}));
  EXPECT_EQ(shape_of(Op::conv_transpose, {Shape{2, 4, 5}, Shape{4, 3, 1}, Shape{6}}, Window{{}, {}, {}, 2}),
            (Shape{2, 6, 5}));
  EXPECT_EQ(shape_of(Op::conv_transpose, {Shape{batch, 4, wide}, Shape{4, 3, 3}, Shape{3}}, padded(Shape{1})),
            (Shape{batch, 3, wide}));
  EXPECT_EQ(shape_of(Op::conv_transpose, {Shape{batch, 4, wide}, Shape{4, 3, 3}, Shape{3}}), (Shape{batch, 3, dyn}));
}

TEST(ConvTransposeRule, RefusesInWords) {
  EXPECT_EQ(refusal(Op::conv_transpose, {Shape{2, 3, 7}, Shape{4, 3, 3}, Shape{3}}),
            "[conv_transpose] x (2, 3, 7), weight (4, 3, 3), bias (3): x has 3 channels, weight takes 4");
  EXPECT_EQ(refusal(Op::conv_transpose, {Shape{2, 4, 1}, Shape{4, 3, 3}, Shape{3}}, padded(Shape{2})),
            "[conv_transpose] x (2, 4, 1), weight (4, 3, 3), bias (3): kernel (3) does not fit extent 1 of spatial "
            "axis 0 with padding 2 and dilation 1");
}

TEST(ConvGradientRules, TakeTheShapesOfConv) {
  const std::initializer_list<Shape> operands = {Shape{2, 3, 9}, Shape{4, 3, 3}, Shape{2, 4, 7}};
  EXPECT_EQ(shape_of(Op::conv_grad_input, operands), (Shape{2, 3, 9}));
  EXPECT_EQ(shape_of(Op::conv_grad_weight, operands), (Shape{4, 3, 3}));
  EXPECT_EQ(refusal(Op::conv_grad_weight, {Shape{2, 3, 9}, Shape{4, 3, 3}, Shape{2, 4, 8}}),
            "[conv_grad_weight] x (2, 3, 9), weight (4, 3, 3), upstream (2, 4, 8): upstream must have shape (2, 4, 7)");
}

TEST(PoolRule, StridesByTheKernelUnlessTold) {
  EXPECT_EQ(shape_of(Op::avg_pool, {Shape{2, 3, 7}}, Pool{Shape{2}, {}, {}}), (Shape{2, 3, 3}));
  EXPECT_EQ(shape_of(Op::avg_pool, {Shape{2, 3, 7}}, Pool{Shape{2}, Shape{1}, {}}), (Shape{2, 3, 6}));
  EXPECT_EQ(shape_of(Op::max_pool, {Shape{2, 3, 7, 7}}, Pool{{3, 3}, {2, 2}, {1, 1}}), (Shape{2, 3, 4, 4}));
  EXPECT_EQ(shape_of(Op::max_pool, {Shape{dyn, batch, dyn}}, Pool{Shape{3}, {}, {}}), (Shape{dyn, batch, dyn}));
  EXPECT_EQ(shape_of(Op::max_pool_grad, {Shape{2, 3, 7}, Shape{2, 3, 3}}, Pool{Shape{2}, {}, {}}), (Shape{2, 3, 7}));
}

TEST(PoolRule, RefusesAKernelOfMoreElementsThanATensorHas) {
  constexpr Extent large = Extent{1} << 40;
  for (const Op op : {Op::avg_pool, Op::max_pool}) {
    const std::string text = refusal(op, {Shape{1, 1, 4, 4}}, Pool{{large, large}, {}, {large / 2, large / 2}});
    EXPECT_TRUE(text.ends_with("kernel (1099511627776, 1099511627776) has too many elements")) << text;
  }
  EXPECT_EQ(refusal(Op::avg_pool, {Shape{1, 1, 4}}, Pool{Shape{large}, {}, Shape{large / 2 - 3}}),
            "[avg_pool] x (1, 1, 4): kernel (1099511627776) does not fit extent 4 of spatial axis 0 with padding "
            "549755813885 and dilation 1");
}

TEST(PoolRule, RefusesInWords) {
  EXPECT_EQ(refusal(Op::max_pool, {Shape{2, 3}}, Pool{Shape{2}, {}, {}}),
            "[max_pool] x (2, 3): expected (batch, channels, spatial...)");
  EXPECT_EQ(refusal(Op::max_pool, {Shape{2, 3, 7}}), "[max_pool] x (2, 3, 7): the kernel has no extents");
  EXPECT_EQ(refusal(Op::avg_pool, {Shape{2, 3, 7}}, Pool{{2, 2}, {}, {}}),
            "[avg_pool] x (2, 3, 7): kernel (2, 2): expected a number from 1 on for each of 1 spatial axes");
  EXPECT_EQ(refusal(Op::avg_pool, {Shape{2, 3, 7}}, Pool{Shape{2}, {}, Shape{2}}),
            "[avg_pool] x (2, 3, 7): padding (2) exceeds half of kernel (2)");
  EXPECT_EQ(refusal(Op::max_pool, {Shape{2, 3, 0}}, Pool{Shape{2}, {}, Shape{1}}),
            "[max_pool] x (2, 3, 0): no elements have no maximum");
  EXPECT_EQ(refusal(Op::avg_pool_grad, {Shape{2, 3, 7}, Shape{2, 3, 4}}, Pool{Shape{2}, {}, {}}),
            "[avg_pool_grad] x (2, 3, 7), upstream (2, 3, 4): upstream must have shape (2, 3, 3)");
}

TEST(PoolRule, TakesAFiniteBetaThatIsNotZero) {
  const auto pool = [](double beta) { return SmoothPool{Shape{2}, {}, {}, beta}; };
  EXPECT_EQ(shape_of(Op::smooth_max_pool, {Shape{2, 3, 7}}, pool(-2)), (Shape{2, 3, 3}));
  for (const double beta : {0.0, -0.0, std::numeric_limits<double>::infinity(),
                            -std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()})
    EXPECT_EQ(refusal(Op::smooth_max_pool, {Shape{2, 3, 7}}, pool(beta)),
              "[smooth_max_pool] x (2, 3, 7): beta must be finite and not 0");
  EXPECT_EQ(refusal(Op::smooth_max_pool_grad, {Shape{2, 3, 7}, Shape{2, 3, 4}}, pool(1)),
            "[smooth_max_pool_grad] x (2, 3, 7), upstream (2, 3, 4): upstream must have shape (2, 3, 3)");
}

}  // namespace
}  // namespace tenon
