#include "tenon/normalisation.h"

#include <gtest/gtest.h>

#include "tenon/shuffle.h"

namespace tenon {
namespace {

TEST(NormalisationFit, RangeMapsEachColumnToZeroAndOne) {
  std::vector<double> rows{0, 5, 4, 5, 16, 5};  // columns 0 4 16 and 5 5 5
  const Normalisation fitted = fit_normalisation(NormalisationKind::range, rows, 2);
  normalise(rows, fitted);
  EXPECT_EQ(rows, (std::vector<double>{0, 0, 0.25, 0, 1, 0}));
  denormalise(rows, fitted);
  EXPECT_EQ(rows, (std::vector<double>{0, 5, 4, 5, 16, 5}));
}

TEST(NormalisationFit, StandardGivesMeanZeroAndDeviationOne) {
  std::vector<double> rows{1, 3};
  normalise(rows, fit_normalisation(NormalisationKind::standard, rows, 1));
  EXPECT_EQ(rows, (std::vector<double>{-1, 1}));
  EXPECT_EQ(fit_normalisation(NormalisationKind::none, rows, 1), (Normalisation{{0}, {1}}));
}

TEST(TakeRows, PutsRowsIntoAnOrder) {
  const std::vector<int> matrix{1, 2, 3, 4, 5, 6};
  const std::vector<std::uint64_t> order{2, 0, 2};
  EXPECT_EQ(take_rows(std::span(matrix), 2, order), (std::vector<int>{5, 6, 1, 2, 5, 6}));
}

}  // namespace
}  // namespace tenon
