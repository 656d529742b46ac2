// Which calls products of matrices with leading axes become.
#include "cublas/products.h"

#include <gtest/gtest.h>

#include <list>

namespace tenon::gpu::cublas {

bool operator==(const Batch& a, const Batch& b) {
  return a.count == b.count && a.left == b.left && a.right == b.right && a.result == b.result;
}
bool operator==(const Place& a, const Place& b) {
  return a.left == b.left && a.right == b.right && a.result == b.result;
}
void PrintTo(const Batch& b, std::ostream* out) {
  *out << b.count << " by " << b.left << ", " << b.right << ", " << b.result;
}
void PrintTo(const Place& p, std::ostream* out) { *out << p.left << ", " << p.right << ", " << p.result; }

namespace {

using Extents = std::vector<std::int64_t>;

class ProductsOf : public ::testing::Test {
 protected:
  Products products(Extents left, Extents right, Extents result) {
    return products_of(view(std::move(left)), view(std::move(right)), view(std::move(result)));
  }

 private:
  plugin::TensorView view(Extents extents) {
    const Extents& shape = shapes_.emplace_back(std::move(extents));
    tenon_tensor& tensor = tensors_.emplace_back();
    tensor.rank = static_cast<std::uint32_t>(shape.size());
    tensor.shape = shape.data();
    return plugin::TensorView(tensor);
  }
  std::list<Extents> shapes_;
  std::list<tenon_tensor> tensors_;
};

TEST_F(ProductsOf, TwoMatricesAreOneCall) {
  const Products p = products({2, 3}, {3, 4}, {2, 4});
  EXPECT_EQ(p.rows, 2);
  EXPECT_EQ(p.columns, 4);
  EXPECT_EQ(p.depth, 3);
  EXPECT_EQ(p.batch, (Batch{1, 0, 0, 0}));
  EXPECT_EQ(p.places(), (std::vector{Place{}}));
}

TEST_F(ProductsOf, SeveralPairsAreOneBatch) {
  const Products p = products({5, 6, 2, 3}, {5, 6, 3, 4}, {5, 6, 2, 4});
  EXPECT_EQ(p.rows, 2);
  EXPECT_EQ(p.batch, (Batch{30, 6, 12, 8}));
  EXPECT_EQ(p.calls(), 1U);
}

TEST_F(ProductsOf, MatricesTimesOneAndTheSameAreOneMatrix) {
  const Products p = products({5, 6, 2, 3}, {3, 4}, {5, 6, 2, 4});
  EXPECT_EQ(p.rows, 60);
  EXPECT_EQ(p.columns, 4);
  EXPECT_EQ(p.depth, 3);
  EXPECT_EQ(p.batch, (Batch{1, 0, 0, 0}));
  EXPECT_EQ(p.calls(), 1U);
}

TEST_F(ProductsOf, OneMatrixTimesManyStaysWhereItIs) {
  EXPECT_EQ(products({2, 3}, {5, 3, 4}, {5, 2, 4}).batch, (Batch{5, 0, 12, 8}));
  EXPECT_EQ(products({1, 2, 3}, {5, 3, 4}, {5, 2, 4}).batch, (Batch{5, 0, 12, 8}));
}

TEST_F(ProductsOf, AxesThatNoStepServesTogetherAreCalls) {
  const Products p = products({2, 1, 3, 4}, {5, 4, 2}, {2, 5, 3, 2});
  EXPECT_EQ(p.batch, (Batch{5, 0, 8, 6}));
  EXPECT_EQ(p.calls(), 2U);
  EXPECT_EQ(p.places(), (std::vector<Place>{{0, 0, 0}, {12, 0, 30}}));
}

TEST_F(ProductsOf, AnAxisBetweenTwoThatRepeatIsNoneOfTheirs) {
  // left repeats along the middle axis, right along the outer and the inner one
  const Products p = products({2, 1, 3, 1, 4}, {1, 5, 1, 4, 1}, {2, 5, 3, 1, 1});
  EXPECT_EQ(p.rows, 3);  // the inner axis of left is rows of one matrix
  EXPECT_EQ(p.batch, (Batch{1, 0, 0, 0}));
  EXPECT_EQ(p.calls(), 10U);
  const std::vector<Place> places = p.places();
  EXPECT_EQ(places[4], (Place{0, 16, 12}));
  EXPECT_EQ(places[5], (Place{12, 0, 15}));
}

TEST_F(ProductsOf, ExtentsOfOneMakeNoCalls) {
  const Products p = products({1, 1, 1, 2, 1, 1, 3, 2}, {2, 2, 2}, {1, 1, 1, 2, 1, 2, 3, 2});
  EXPECT_EQ(p.batch, (Batch{2, 0, 4, 6}));
  EXPECT_EQ(p.calls(), 2U);
}

TEST_F(ProductsOf, ExtentsBeyond32BitsKeepAllTheirDigits) {
  constexpr std::int64_t many = std::int64_t{5} << 32;
  const Products p = products({2, many, 3}, {2, 3, 4}, {2, many, 4});
  EXPECT_EQ(p.rows, many);
  EXPECT_EQ(p.batch, (Batch{2, 3 * many, 12, 4 * many}));
}

TEST_F(ProductsOf, NoMatricesAreABatchOfNone) {
  EXPECT_EQ(products({0, 3, 4}, {1, 4, 2}, {0, 3, 2}).rows * products({0, 3, 4}, {1, 4, 2}, {0, 3, 2}).batch.count, 0);
}

}  // namespace
}  // namespace tenon::gpu::cublas
