// The rules of attention, scans and Fourier operators.
#include <gtest/gtest.h>

#include "refusal.h"

namespace tenon {
namespace {

constexpr Op attention = Op::scaled_dot_product_attention;
constexpr Extent length = extent("length");

static_assert(shape_of(attention, {Shape{batch, 3, 4}, Shape{batch, 5, 4}, Shape{batch, 5, 2}, Shape{3, 5}}) ==
              Shape{batch, 3, 2});

TEST(AttentionRule, RepeatsLeadingAxes) {
  EXPECT_EQ(shape_of(attention, {Shape{3, 4}, Shape{5, 4}, Shape{5, 2}, Shape{3, 5}}), (Shape{3, 2}));
  EXPECT_EQ(shape_of(attention, {Shape{2, 1, 3, 4}, Shape{6, 5, 4}, Shape{5, 2}, Shape{3, 5}}), (Shape{2, 6, 3, 2}));
  EXPECT_EQ(shape_of(attention, {Shape{length, 4}, Shape{dyn, 4}, Shape{dyn, 2}, Shape{length, length}}),
            (Shape{length, 2}));
  EXPECT_EQ(refusal(attention, {Shape{2, 3, 4}, Shape{5, 4}, Shape{5, 2}, Shape{7, 3, 5}}),
            "[scaled_dot_product_attention] query (2, 3, 4), key (5, 4), value (5, 2), mask (7, 3, 5): extents 2 and 7 "
            "at axis -1 do not broadcast");
}

TEST(AttentionRule, RefusesInWords) {
  const auto refused = [](Shape query, Shape key, Shape value, Shape mask) {
    const std::string words = refusal(attention, {query, key, value, mask});
    return words.substr(words.find("): ") + 3);
  };
  EXPECT_EQ(refused({3, 4}, {5, 6}, {5, 2}, {3, 5}), "query has 4 features, key has 6");
  EXPECT_EQ(refused({3, 4}, {5, 4}, {6, 2}, {3, 5}), "found 5 keys and 6 values");
  EXPECT_EQ(refused({3, 4}, {5, 4}, {5, 2}, {1, 5}), "mask must end in (3, 5): one for each query and key");
  EXPECT_EQ(refused({3, 4}, {5, 4}, {5, 2}, Shape{5}), "all operands need rank 2 or more");
}

TEST(ScanRule, TakesTheFirstStateWithoutTheFirstAxis) {
  const Shape x{length, 2, 3};
  EXPECT_EQ(shape_of(Op::selective_scan, {x, x, Shape{dyn, 2, 3}, Shape{2, 3}}), x);
  EXPECT_EQ(shape_of(Op::selective_scan, {Shape{4}, Shape{4}, Shape{4}, Shape{}}), Shape{4});
  EXPECT_EQ(refusal(Op::selective_scan, {Shape{4, 2}, Shape{4, 2}, Shape{4, 2}, Shape{4}}),
            "[selective_scan] a (4, 2), b (4, 2), x (4, 2), h0 (4): h0 must have shape (2)");
  EXPECT_EQ(refusal(Op::selective_scan, {Shape{4, 2}, Shape{2}, Shape{4, 2}, Shape{2}}),
            "[selective_scan] a (4, 2), b (2), x (4, 2), h0 (2): shapes (4, 2) and (2) differ, expected equal ones");
  EXPECT_EQ(refusal(Op::selective_scan, {Shape{}, Shape{}, Shape{}, Shape{}}),
            "[selective_scan] a (), b (), x (), h0 (): a scalar has no first axis");
}

TEST(FourierRule, KeepsNoMoreModesThanThereAre) {
  const Shape weight{4, 2, 3};
  EXPECT_EQ(shape_of(Op::fft_fno, {Shape{batch, 2, 6}, weight, weight}), (Shape{batch, 3, 6}));
  EXPECT_EQ(shape_of(Op::fft_fno, {Shape{2, dyn}, weight, weight}), (Shape{3, dyn}));
  EXPECT_EQ(shape_of(Op::fft_fno, {Shape{2, length}, Shape{1, 2, 3}, Shape{1, 2, 3}}), (Shape{3, length}));
  EXPECT_EQ(refusal(Op::fft_fno, {Shape{2, 5}, weight, weight}),
            "[fft_fno] x (2, 5), w_re (4, 2, 3), w_im (4, 2, 3): 5 points have fewer than 4 modes: expected n / 2 + 1 "
            "at most");
  EXPECT_EQ(refusal(Op::fft_fno, {Shape{2, length}, weight, weight}),
            "[fft_fno] x (2, length), w_re (4, 2, 3), w_im (4, 2, 3): length points have fewer than 4 modes: expected "
            "n / 2 + 1 at most");
}

TEST(FourierRule, RefusesInWords) {
  EXPECT_EQ(refusal(Op::fft_fno, {Shape{3, 8}, Shape{4, 2, 3}, Shape{4, 2, 3}}),
            "[fft_fno] x (3, 8), w_re (4, 2, 3), w_im (4, 2, 3): x has 3 channels, the weights take 2");
  EXPECT_EQ(refusal(Op::fft_fno, {Shape{2, 8}, Shape{4, 2, 3}, Shape{4, 2, 1}}),
            "[fft_fno] x (2, 8), w_re (4, 2, 3), w_im (4, 2, 1): shapes (4, 2, 3) and (4, 2, 1) differ, expected equal "
            "ones");
  EXPECT_EQ(refusal(Op::fft_fno, {Shape{8}, Shape{2, 3}, Shape{2, 3}}),
            "[fft_fno] x (8), w_re (2, 3), w_im (2, 3): expected (..., in, n) and (modes, in, out)");
  EXPECT_EQ(refusal(Op::fft_fno_grad_weight, {Shape{2, 8}, Shape{2, 8}, Shape{4, 2, 3}}),
            "[fft_fno_grad_weight] x (2, 8), upstream (2, 8), weight (4, 2, 3): upstream must have shape (3, 8)");
}

}  // namespace
}  // namespace tenon
