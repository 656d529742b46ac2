#include <gtest/gtest.h>

#include "refusal.h"

namespace tenon {
namespace {

static_assert(shape_of(Op::reshape, {Shape{2, 3, 4}}, Target{{6, dyn}}) == Shape{6, 4});
static_assert(shape_of(Op::permute, {Shape{2, batch, 4}}, Order{{-1, 0, 1}}) == Shape{4, 2, batch});
static_assert(shape_of(Op::broadcast, {Shape{64}}, Target{{batch, 64}}) == Shape{batch, 64});

TEST(ReshapeRule, FillsTheOpenExtent) {
  EXPECT_EQ(shape_of(Op::reshape, {Shape{2, 3}}, Target{Shape{6}}), Shape{6});
  EXPECT_EQ(shape_of(Op::reshape, {Shape{}}, Target{{1, dyn}}), (Shape{1, 1}));
  EXPECT_EQ(shape_of(Op::reshape, {Shape{0, 3}}, Target{{dyn, 3}}), (Shape{0, 3}));
}

TEST(ReshapeRule, RefusesAnotherNumberOfElements) {
  EXPECT_EQ(refusal(Op::reshape, {Shape{2, 3}}, Target{{4, dyn}}),
            "[reshape] x (2, 3): 6 elements do not fill (4, dyn)");
  EXPECT_EQ(refusal(Op::reshape, {Shape{2, 3}}, Target{Shape{7}}), "[reshape] x (2, 3): 6 elements do not fill (7)");
  EXPECT_EQ(refusal(Op::reshape, {Shape{0}}, Target{{0, dyn}}), "[reshape] x (0): 0 elements do not fill (0, dyn)");
}

TEST(ReshapeRule, RefusesTargetsThatAreNoShape) {
  EXPECT_EQ(refusal(Op::reshape, {Shape{32, 10}}, Target{{-2, 5}}),
            "[reshape] x (32, 10): (-2, 5) has a negative extent");
  EXPECT_EQ(refusal(Op::reshape, {Shape{6}}, Target{{dyn, dyn}}),
            "[reshape] x (6): target (dyn, dyn) leaves more than one extent open");
  EXPECT_EQ(refusal(Op::reshape, {Shape{6}}, Target{{Extent{1} << 40, Extent{1} << 40}}),
            "[reshape] x (6): (1099511627776, 1099511627776) has too many elements");
}

TEST(ReshapeRule, CarriesNamesAlong) {
  EXPECT_EQ(shape_of(Op::reshape, {Shape{batch, 8, 8}}, Target{{dyn, 64}}), (Shape{batch, 64}));
  EXPECT_EQ(shape_of(Op::reshape, {Shape{batch, 8, 8}}, Target{{batch, dyn}}), (Shape{batch, 64}));
  EXPECT_EQ(shape_of(Op::reshape, {Shape{batch, steps, 8}}, Target{{dyn, steps, 8}}), (Shape{batch, steps, 8}));
  EXPECT_EQ(shape_of(Op::reshape, {Shape{batch, steps, 8}}, Target{{batch, dyn}}), (Shape{batch, dyn}));
  EXPECT_EQ(shape_of(Op::reshape, {Shape{batch, 4}}, Target{{dyn, 2}}), (Shape{dyn, 2}));
}

TEST(ReshapeRule, RefusesWhatNotEveryNumberMakesRight) {
  EXPECT_EQ(refusal(Op::reshape, {Shape{batch, 8}}, Target{{dyn, 3}}),
            "[reshape] x (batch, 8): dyn elements do not fill (dyn, 3)");
  EXPECT_EQ(refusal(Op::reshape, {Shape{batch}}, Target{Shape{steps}}),
            "[reshape] x (batch): batch elements do not fill (steps)");
  EXPECT_EQ(refusal(Op::reshape, {Shape{6}}, Target{{batch, dyn}}),
            "[reshape] x (6): 6 elements do not fill (batch, dyn)");
}

TEST(ReshapeRule, LetsDynBeWhateverFits) {
  EXPECT_EQ(shape_of(Op::reshape, {Shape{dyn, 4}}, Target{{2, 6}}), (Shape{2, 6}));
  EXPECT_EQ(shape_of(Op::reshape, {Shape{dyn, 4}}, Target{{dyn, 3}}), (Shape{dyn, 3}));
  EXPECT_EQ(refusal(Op::reshape, {Shape{dyn, 4}}, Target{{2, 3}}),
            "[reshape] x (dyn, 4): dyn elements do not fill (2, 3)");
  EXPECT_EQ(refusal(Op::reshape, {Shape{dyn, 0}}, Target{Shape{3}}),
            "[reshape] x (dyn, 0): dyn elements do not fill (3)");
}

TEST(FlattenRule, MergesARangeOfAxes) {
  EXPECT_EQ(shape_of(Op::flatten, {Shape{2, 3, 4}}), (Shape{2, 12}));
  EXPECT_EQ(shape_of(Op::flatten, {Shape{2, 3, 4}}, Range{0, -2}), (Shape{6, 4}));
  EXPECT_EQ(shape_of(Op::flatten, {Shape{2, 3, 4}}, Range{1, 1}), (Shape{2, 3, 4}));
  EXPECT_EQ(shape_of(Op::flatten, {Shape{2, 0, 4}}, Range{0, -1}), Shape{0});
  EXPECT_EQ(shape_of(Op::flatten, {Shape{}}, Range{0, -1}), Shape{1});
}

TEST(FlattenRule, MultipliesWhatIsKnown) {
  EXPECT_EQ(shape_of(Op::flatten, {Shape{batch, 8, 3}}), (Shape{batch, 24}));
  EXPECT_EQ(shape_of(Op::flatten, {Shape{batch, 8, 3}}, Range{0, 1}), (Shape{dyn, 3}));
  EXPECT_EQ(shape_of(Op::flatten, {Shape{batch, 8, 3}}, Range{0, 0}), (Shape{batch, 8, 3}));
  EXPECT_EQ(shape_of(Op::flatten, {Shape{2, batch, 1}}), (Shape{2, batch}));
  EXPECT_EQ(shape_of(Op::flatten, {Shape{2, batch, steps}}), (Shape{2, dyn}));
  EXPECT_EQ(shape_of(Op::flatten, {Shape{2, dyn, 3}}), (Shape{2, dyn}));
}

TEST(FlattenRule, RefusesRangesThatAreNone) {
  EXPECT_EQ(refusal(Op::flatten, {Shape{5}}), "[flatten] x (5): axis 1 does not fit rank 1");
  EXPECT_EQ(refusal(Op::flatten, {Shape{}}), "[flatten] x (): axis 1 does not fit rank 0");
  EXPECT_EQ(refusal(Op::flatten, {Shape{2, 3}}, Range{0, -3}), "[flatten] x (2, 3): axis -3 does not fit rank 2");
  EXPECT_EQ(refusal(Op::flatten, {Shape{2, 3}}, Range{-1, 0}), "[flatten] x (2, 3): axis -1 comes after axis 0");
}

TEST(UnflattenRule, SplitsAnAxis) {
  EXPECT_EQ(shape_of(Op::unflatten, {Shape{2, 12}}, Split{-1, {3, 4}}), (Shape{2, 3, 4}));
  EXPECT_EQ(shape_of(Op::unflatten, {Shape{12, 2}}, Split{0, {3, dyn}}), (Shape{3, 4, 2}));
  EXPECT_EQ(shape_of(Op::unflatten, {Shape{batch, 12}}, Split{1, {3, dyn}}), (Shape{batch, 3, 4}));
  EXPECT_EQ(shape_of(Op::unflatten, {Shape{batch, 12}}, Split{0, {dyn, 1}}), (Shape{batch, 1, 12}));
  EXPECT_EQ(shape_of(Op::unflatten, {Shape{dyn, 12}}, Split{0, {dyn, 5}}), (Shape{dyn, 5, 12}));
}

TEST(UnflattenRule, RefusesInWords) {
  EXPECT_EQ(refusal(Op::unflatten, {Shape{2, 12}}, Split{-1, {5, dyn}}),
            "[unflatten] x (2, 12): 12 elements do not fill (5, dyn)");
  EXPECT_EQ(refusal(Op::unflatten, {Shape{batch}}, Split{0, {dyn, 5}}),
            "[unflatten] x (batch): batch elements do not fill (dyn, 5)");
  EXPECT_EQ(refusal(Op::unflatten, {Shape{2, 1}}, Split{1, Shape{}}),
            "[unflatten] x (2, 1): an axis cannot become none");
  EXPECT_EQ(refusal(Op::unflatten, {Shape{2, 1}}, Split{2, Shape{1}}),
            "[unflatten] x (2, 1): axis 2 does not fit rank 2");
  EXPECT_EQ(refusal(Op::unflatten, {Shape{1, 1}}, Split{0, {1, 1, 1, 1, 1, 1, 1, 1}}),
            "[unflatten] x (1, 1): the result has rank 9, expected at most 8");
}

TEST(PermuteRule, RefusesWhatIsNoPermutation) {
  EXPECT_EQ(refusal(Op::permute, {Shape{2, 3}}, Order{{0, 1, 2}}),
            "[permute] x (2, 3): axes (0, 1, 2) are no permutation of rank 2");
  EXPECT_EQ(refusal(Op::permute, {Shape{2, 3}}, Order{{0, -2}}), "[permute] x (2, 3): axis -2 is named twice");
  EXPECT_EQ(refusal(Op::permute, {Shape{2, 3}}, Order{{0, 2}}), "[permute] x (2, 3): axis 2 does not fit rank 2");
  EXPECT_EQ(refusal(Op::permute, {Shape{2, 3}}, Order{{0, -3}}), "[permute] x (2, 3): axis -3 does not fit rank 2");
}

TEST(BroadcastRule, RefusesTargetsThatDoNotFit) {
  EXPECT_EQ(refusal(Op::broadcast, {Shape{2, 3}}, Target{Shape{3}}), "[broadcast] x (2, 3): target (3) has fewer axes");
  EXPECT_EQ(refusal(Op::broadcast, {Shape{2, 3}}, Target{{4, 3}}),
            "[broadcast] x (2, 3): extent 2 at axis -2 does not broadcast to (4, 3)");
  EXPECT_EQ(refusal(Op::broadcast, {Shape{3}}, Target{{dyn, 3}}),
            "[broadcast] x (3): target (dyn, 3) leaves an extent open");
  EXPECT_EQ(refusal(Op::broadcast, {Shape{3}}, Target{{-5, 3}}), "[broadcast] x (3): (-5, 3) has a negative extent");
  EXPECT_EQ(refusal(Op::broadcast, {Shape{batch}}, Target{Shape{5}}),
            "[broadcast] x (batch): extent batch at axis -1 does not broadcast to (5)");
}

}  // namespace
}  // namespace tenon
