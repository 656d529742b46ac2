// Products of matrices and what is made of them, against folds on the host: at sizes around a tile's, with elements so
// small that a fold by the device's own arithmetic would lose them, and with such ones only in a later slab.
#include "host.h"

namespace gpusim::msl {
namespace {

using namespace tenon_metal;

struct Size {
  unsigned rows, depth, columns;
};
struct Form {
  const char* suffix;
  unsigned tile, threads;
};
constexpr Form forms[] = {{"", tile, tile_threads}, {"_small", small_tile, small_tile_threads}};

Extent grid_of(const Form& form, unsigned rows, unsigned columns, unsigned depth) {
  return {(columns + form.tile - 1) / form.tile, (rows + form.tile - 1) / form.tile, depth};
}

Product constants_of(const Size& size, unsigned matrices) {
  Product p{};
  p.extents[0] = matrices;
  p.left_strides[0] = size.rows * size.depth;
  p.right_strides[0] = size.depth * size.columns;
  p.axes = 1;
  p.rows = size.rows;
  p.depth = size.depth;
  p.columns = size.columns;
  p.matrices = matrices;
  p.factor = 0.3f;
  return p;
}

/// right(k, column) is whatever it is.
template <class Right>
float fold(const Floats& left, std::size_t row, unsigned depth, Right right) {
  float sum = 0;
  for (unsigned k = 0; k < depth; ++k) sum = sum + left[row * depth + k] * right(k);
  return sum;
}

class MetalProducts : public testing::TestWithParam<std::tuple<Size, Range>> {
 protected:
  Size size = std::get<0>(GetParam());
  Range range = std::get<1>(GetParam());
  bool is_large() const { return std::size_t{size.rows} * size.depth * size.columns > 20000; }
  Library& library() const { return is_large() ? plain() : checked(); }
};

TEST_P(MetalProducts, Matmul) {
  constexpr unsigned matrices = 2;
  const Floats left = drawn(matrices * size.rows * size.depth, range, 21);
  const Floats right = drawn(matrices * size.depth * size.columns, range, 22);
  Floats expected;
  for (unsigned i = 0; i < matrices * size.rows * size.columns; ++i) {
    const unsigned column = i % size.columns, row = i / size.columns, first = row / size.rows * size.depth;
    expected.push_back(
        fold(left, row, size.depth, [&](unsigned k) { return right[(first + k) * size.columns + column]; }));
  }
  for (const Form& form : forms) {
    for (const Way& way : ways()) {
      Kernel kernel(library(), way, std::string("products_matmul") + form.suffix);
      kernel.reads(left).reads(right).writes(expected.size());
      kernel.run(grid_of(form, size.rows, size.columns, matrices), form.threads, constants_of(size, matrices));
      expect_bits(kernel.result(), expected, "products_matmul");
    }
  }
}

TEST_P(MetalProducts, ByTransposed) {
  const Floats left = drawn(size.rows * size.depth, range, 23), right = drawn(size.columns * size.depth, range, 24);
  const Floats bias = drawn(size.columns, range, 25);
  Floats linear, scores;
  for (unsigned i = 0; i < size.rows * size.columns; ++i) {
    const unsigned column = i % size.columns;
    const float sum =
        fold(left, i / size.columns, size.depth, [&](unsigned k) { return right[column * size.depth + k]; });
    linear.push_back(sum + bias[column]);
    scores.push_back(sum * 0.3f);
  }
  for (const Form& form : forms) {
    const Extent grid = grid_of(form, size.rows, size.columns, 1);
    for (const Way& way : ways()) {
      Kernel kernel(library(), way, std::string("products_linear") + form.suffix);
      kernel.reads(left).reads(right).reads(bias).writes(linear.size()).run(grid, form.threads, constants_of(size, 1));
      expect_bits(kernel.result(), linear, "products_linear");
      Kernel other(library(), way, std::string("products_scores") + form.suffix);
      other.reads(left).reads(right).writes(scores.size()).run(grid, form.threads, constants_of(size, 1));
      expect_bits(other.result(), scores, "products_scores");
    }
  }
}

/// Within the bound of any order of summation.
TEST_P(MetalProducts, FusedOnesAreNear) {
  if (range != Range::ordinary) return;
  const Floats left = drawn(size.rows * size.depth, range, 26), right = drawn(size.columns * size.depth, range, 27);
  const Floats bias = drawn(size.columns, range, 28);
  for (const Form& form : forms) {
    Kernel kernel(library(), {}, std::string("fast_linear") + form.suffix);
    kernel.reads(left).reads(right).reads(bias).writes(size.rows * size.columns);
    kernel.run(grid_of(form, size.rows, size.columns, 1), form.threads, constants_of(size, 1));
    const Floats found = kernel.result();
    for (unsigned i = 0; i < found.size(); ++i) {
      const unsigned column = i % size.columns;
      double exact = bias[column], magnitude = std::fabs(exact);
      for (unsigned k = 0; k < size.depth; ++k) {
        const double product = double(left[i / size.columns * size.depth + k]) * double(right[column * size.depth + k]);
        exact += product;
        magnitude += std::fabs(product);
      }
      ASSERT_NEAR(found[i], exact, magnitude * (size.depth + 1) * 0x1p-24);
    }
  }
}

std::string name_of(const testing::TestParamInfo<std::tuple<Size, Range>>& of) {
  const Size& size = std::get<0>(of.param);
  const char* ranges[] = {"ordinary", "tiny", "wild"};
  return std::to_string(size.rows) + "x" + std::to_string(size.depth) + "x" + std::to_string(size.columns) + "_" +
         ranges[int(std::get<1>(of.param))];
}
INSTANTIATE_TEST_SUITE_P(Of, MetalProducts,
                         testing::Combine(testing::Values(Size{1, 1, 1}, Size{3, 5, 2}, Size{4, 16, 4}, Size{33, 17, 9},
                                                          Size{5, 0, 3}, Size{65, 40, 68}, Size{2, 100, 130}),
                                          testing::Values(Range::ordinary, Range::tiny, Range::wild)),
                         name_of);

/// The first slabs go by the device's arithmetic; where a small element comes, what they summed must not be lost, and
/// what follows must not either.
TEST(MetalProductsInSlabs, TurnExactWhereSmallElementsBegin) {
  const Size size{5, 64, 7};
  for (const unsigned where : {0u, 17u, 40u, 63u}) {
    Floats left = drawn(size.rows * size.depth, Range::ordinary, 29),
           right = drawn(size.depth * size.columns, Range::ordinary, 30);
    for (unsigned row = 0; row < size.rows; ++row) {
      for (unsigned k = 0; k < where; ++k) left[row * size.depth + k] = 0;  // so that the small ones are seen
      left[row * size.depth + where] = float(row + 1) * 0x1p-149f;
    }
    for (unsigned k = where + 1; k < size.depth; ++k)
      for (unsigned column = 0; column < size.columns; ++column) right[k * size.columns + column] *= 0x1p-130f;
    Floats expected;
    for (unsigned i = 0; i < size.rows * size.columns; ++i)
      expected.push_back(fold(left, i / size.columns, size.depth,
                              [&](unsigned k) { return right[k * size.columns + i % size.columns]; }));
    Kernel kernel(checked(), {}, "products_matmul_small");
    kernel.reads(left).reads(right).writes(expected.size()).run({1, 1, 1}, small_tile_threads, constants_of(size, 1));
    expect_bits(kernel.result(), expected, "from k = " + std::to_string(where));
  }
}

/// Broadcast operands: strides of 0, and leading axes that do not merge.
TEST(MetalProductsOfMany, FollowTheLeadingAxes) {
  const Size size{3, 4, 5};
  Product constants = constants_of(size, 6);
  const unsigned extents[] = {2, 3}, lefts[] = {0, 12}, rights[] = {20, 0};
  std::copy(extents, extents + 2, constants.extents);
  std::copy(lefts, lefts + 2, constants.left_strides);
  std::copy(rights, rights + 2, constants.right_strides);
  constants.axes = 2;
  const Floats left = drawn(3 * 12, Range::ordinary, 31), right = drawn(2 * 20, Range::ordinary, 32);
  Floats expected;
  for (unsigned matrix = 0; matrix < 6; ++matrix) {
    for (unsigned i = 0; i < 15; ++i)
      expected.push_back(
          fold(left, matrix % 3 * 3 + i / 5, 4, [&](unsigned k) { return right[matrix / 3 * 20 + k * 5 + i % 5]; }));
  }
  for (const Form& form : forms) {
    Kernel kernel(checked(), {}, std::string("products_matmul") + form.suffix);
    kernel.reads(left).reads(right).writes(expected.size()).run({1, 1, 6}, form.threads, constants);
    expect_bits(kernel.result(), expected, "products_matmul");
  }
}

}  // namespace
}  // namespace gpusim::msl
