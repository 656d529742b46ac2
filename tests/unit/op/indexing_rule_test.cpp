// The rules of the layout family that take or put together parts of tensors.
#include <gtest/gtest.h>

#include "refusal.h"

namespace tenon {
namespace {

static_assert(shape_of(Op::concat, {Shape{batch, 3}, Shape{batch, 4}}, Axis{-1}) == Shape{batch, 7});
static_assert(shape_of(Op::slice, {Shape{batch, 8}}, Slice{1, -3}) == Shape{batch, 3});
static_assert(shape_of(Op::gather, {Shape{100, 16}, Shape{batch, 7}}) == Shape{batch, 7, 16});
static_assert(shape_of(Op::scatter_add, {Shape{5, 3}, Shape{batch, 3}, Shape{batch}}) == Shape{5, 3});

TEST(ConcatRule, AddsTheExtentsOfOneAxis) {
  EXPECT_EQ(shape_of(Op::concat, {Shape{2, 3}, Shape{5, 3}}), (Shape{7, 3}));
  EXPECT_EQ(shape_of(Op::concat, {Shape{0}, Shape{0}}), Shape{0});
  EXPECT_EQ(shape_of(Op::concat, {Shape{2, dyn}, Shape{5, 3}}), (Shape{7, 3}));
  EXPECT_EQ(shape_of(Op::concat, {Shape{dyn, 3}, Shape{5, 3}}), (Shape{dyn, 3}));
  EXPECT_EQ(shape_of(Op::concat, {Shape{batch, 3}, Shape{steps, 3}}), (Shape{dyn, 3}));
}

TEST(ConcatRule, RefusesInWords) {
  EXPECT_EQ(refusal(Op::concat, {Shape{2, 3}, Shape{5, 4}}),
            "[concat] left (2, 3), right (5, 4): extents beside axis 0 differ");
  EXPECT_EQ(refusal(Op::concat, {Shape{2, 3}, Shape{batch, 3}}, Axis{-1}),
            "[concat] left (2, 3), right (batch, 3): extents beside axis 1 differ");
  EXPECT_EQ(refusal(Op::concat, {Shape{2, 3}, Shape{2}}), "[concat] left (2, 3), right (2): ranks 2 and 1 differ");
  EXPECT_EQ(refusal(Op::concat, {Shape{}, Shape{}}), "[concat] left (), right (): axis 0 does not fit rank 0");
}

TEST(SliceRule, CountsAsPython) {
  EXPECT_EQ(shape_of(Op::slice, {Shape{5, 3}}, Slice{0, 1, 4}), (Shape{3, 3}));
  EXPECT_EQ(shape_of(Op::slice, {Shape{5, 3}}, Slice{-1, -2}), (Shape{5, 2}));
  EXPECT_EQ(shape_of(Op::slice, {Shape{5}}, Slice{0, -99, 99}), Shape{5});
  EXPECT_EQ(shape_of(Op::slice, {Shape{5}}, Slice{0, -4, -1}), Shape{3});
  EXPECT_EQ(shape_of(Op::slice, {Shape{5}}, Slice{0, 4, 2}), Shape{0});
  EXPECT_EQ(shape_of(Op::slice, {Shape{5}}, Slice{0, 7, 9}), Shape{0});
  EXPECT_EQ(shape_of(Op::slice, {Shape{5}}, Slice{0, std::numeric_limits<Extent>::min()}), Shape{5});
}

TEST(SliceRule, KnowsOfUnknownExtentsWhetherAllOrNothingIsTaken) {
  EXPECT_EQ(shape_of(Op::slice, {Shape{batch}}), Shape{batch});
  EXPECT_EQ(shape_of(Op::slice, {Shape{dyn}}), Shape{dyn});
  EXPECT_EQ(shape_of(Op::slice, {Shape{batch}}, Slice{0, 0, 5}), Shape{dyn});
  EXPECT_EQ(shape_of(Op::slice, {Shape{batch}}, Slice{0, -1}), Shape{dyn});
  EXPECT_EQ(shape_of(Op::slice, {Shape{batch}}, Slice{0, 3, -1}), Shape{dyn});
  EXPECT_EQ(shape_of(Op::slice, {Shape{batch}}, Slice{0, 3, 3}), Shape{0});
  EXPECT_EQ(shape_of(Op::slice, {Shape{dyn}}, Slice{0, -2, -4}), Shape{0});
  EXPECT_EQ(shape_of(Op::slice, {Shape{dyn}}, Slice{0, -2, 0}), Shape{0});
}

TEST(SliceRule, RefusesAnAxisThatIsNone) {
  EXPECT_EQ(refusal(Op::slice, {Shape{5, 3}}, Slice{2}), "[slice] x (5, 3): axis 2 does not fit rank 2");
  EXPECT_EQ(refusal(Op::slice, {Shape{}}), "[slice] x (): axis 0 does not fit rank 0");
}

TEST(GatherRule, PutsTheIndicesAxesInTheAxisPlace) {
  EXPECT_EQ(shape_of(Op::gather, {Shape{2, 5, 3}, Shape{4, 6}}, Axis{1}), (Shape{2, 4, 6, 3}));
  EXPECT_EQ(shape_of(Op::gather, {Shape{2, 5}, Shape{}}, Axis{-1}), Shape{2});
  EXPECT_EQ(shape_of(Op::gather, {Shape{dyn, 5}, Shape{batch}}, Axis{0}), (Shape{batch, 5}));
}

TEST(GatherRule, RefusesInWords) {
  EXPECT_EQ(refusal(Op::gather, {Shape{2, 5}, Shape{4}}, Axis{-3}),
            "[gather] x (2, 5), indices (4): axis -3 does not fit rank 2");
  EXPECT_EQ(refusal(Op::gather, {Shape{2, 5}, Shape{1, 1, 1, 1, 1, 1, 1, 1}}),
            "[gather] x (2, 5), indices (1, 1, 1, 1, 1, 1, 1, 1): the result has rank 9, expected at most 8");
}

TEST(ScatterAddRule, TakesValuesOfTheShapeThatGatherGives) {
  EXPECT_EQ(shape_of(Op::scatter_add, {Shape{2, 5, 3}, Shape{2, 4, 6, 3}, Shape{4, 6}}, Axis{1}), (Shape{2, 5, 3}));
  EXPECT_EQ(shape_of(Op::scatter_add, {Shape{batch, 5}, Shape{dyn}, Shape{}}, Axis{1}), (Shape{batch, 5}));
  EXPECT_EQ(refusal(Op::scatter_add, {Shape{5, 3}, Shape{4, 2}, Shape{4}}),
            "[scatter_add] x (5, 3), values (4, 2), indices (4): values must have shape (4, 3)");
  EXPECT_EQ(refusal(Op::scatter_add, {Shape{5}, Shape{batch}, Shape{steps}}),
            "[scatter_add] x (5), values (batch), indices (steps): values must have shape (steps)");
}

}  // namespace
}  // namespace tenon
