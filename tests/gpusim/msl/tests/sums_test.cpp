// Rows and reductions against tenon::strict::tree_sum and the strict functions, at lengths around every edge of the
// tree's levels.
#include "host.h"

namespace gpusim::msl {
namespace {

namespace strict = tenon::strict;
using namespace tenon_metal;

constexpr Extent teams_for(unsigned count) { return {(count + teams - 1) / teams, 1, 1}; }

float sum_of(const Floats& x) {
  return strict::tree_sum<float>(x.size(), [&](std::uint64_t i) { return x[i]; });
}
float greatest_of(const Floats& x) {
  float most = x[0];
  for (const float element : x) most = strict::maximum(most, element);
  return most;
}
Floats row_of(const Floats& x, std::size_t row, std::size_t n) {
  return Floats(x.begin() + std::ptrdiff_t(row * n), x.begin() + std::ptrdiff_t(row * n + n));
}

struct Shape {
  unsigned rows, n;
};
class MetalRows : public testing::TestWithParam<std::tuple<Shape, Range>> {
 protected:
  MetalRows() : shape(std::get<0>(GetParam())), range(std::get<1>(GetParam())) {}
  std::size_t elements() const { return std::size_t{shape.rows} * shape.n; }
  /// Instrumented where that takes no time.
  Library& library() const { return elements() < 400 ? checked() : plain(); }

  /// Row by row.
  template <class Rule>
  Floats by_rows(const Floats& x, Rule rule) const {
    Floats out;
    for (unsigned row = 0; row < shape.rows; ++row) {
      const Floats made = rule(row_of(x, row, shape.n), row);
      out.insert(out.end(), made.begin(), made.end());
    }
    return out;
  }
  template <class... Arrays>
  void check(const std::string& name, float parameter, const Floats& expected, const Arrays&... arrays) const {
    for (const Way& way : ways()) {
      Kernel kernel(library(), way, name);
      (kernel.reads(arrays), ...);
      kernel.writes(expected.size()).run(teams_for(shape.rows), team_threads, Rows{shape.rows, shape.n, parameter});
      expect_bits(kernel.result(), expected, name);
    }
  }

  Shape shape;
  Range range;
};

Floats exponentials(const Floats& x, float most) {
  Floats e;
  for (const float element : x) e.push_back(strict::exp(element - most));
  return e;
}

TEST_P(MetalRows, Softmax) {
  const Floats x = drawn(elements(), range, 1);
  check("rows_softmax", 0,
        by_rows(x,
                [](const Floats& row, unsigned) {
                  Floats e = exponentials(row, greatest_of(row));
                  const float sum = sum_of(e);
                  for (float& element : e) element = element / sum;
                  return e;
                }),
        x);
  check("rows_log_softmax", 0,
        by_rows(x,
                [](Floats row, unsigned) {
                  const float most = greatest_of(row), log_sum = strict::log(sum_of(exponentials(row, most)));
                  for (float& element : row) element = (element - most) - log_sum;
                  return row;
                }),
        x);
}

TEST_P(MetalRows, Gradients) {
  const Floats y = drawn(elements(), range, 2), upstream = drawn(elements(), range, 3);
  check("rows_softmax_vjp", 0,
        by_rows(y,
                [&](Floats row, unsigned number) {
                  const Floats g = row_of(upstream, number, shape.n);
                  Floats products;
                  for (std::size_t i = 0; i < row.size(); ++i) products.push_back(g[i] * row[i]);
                  const float sum = sum_of(products);
                  for (std::size_t i = 0; i < row.size(); ++i) row[i] = row[i] * (g[i] - sum);
                  return row;
                }),
        y, upstream);
  check("rows_log_softmax_vjp", 0,
        by_rows(y,
                [&](Floats row, unsigned number) {
                  const Floats g = row_of(upstream, number, shape.n);
                  const float sum = sum_of(g);
                  for (std::size_t i = 0; i < row.size(); ++i) row[i] = g[i] - strict::exp(row[i]) * sum;
                  return row;
                }),
        y, upstream);
}

TEST_P(MetalRows, LayerNorm) {
  const Floats x = drawn(elements(), range, 4), weight = drawn(shape.n, range, 5), bias = drawn(shape.n, range, 6);
  check("rows_layer_norm", 1e-5f,
        by_rows(x,
                [&](Floats row, unsigned) {
                  const float n = float(shape.n), mean = sum_of(row) / n;
                  Floats squares;
                  for (const float element : row) squares.push_back((element - mean) * (element - mean));
                  const float deviation = std::sqrt(sum_of(squares) / n + 1e-5f);
                  for (std::size_t i = 0; i < row.size(); ++i)
                    row[i] = (row[i] - mean) / deviation * weight[i] + bias[i];
                  return row;
                }),
        x, weight, bias);
}

TEST_P(MetalRows, CrossEntropy) {
  const Floats x = drawn(elements(), range, 7), upstream = {0.75f};
  std::vector<std::uint32_t> labels;
  for (unsigned row = 0; row < shape.rows; ++row) labels.push_back(row * 7 % (shape.n + (row % 5 == 4)));
  check("rows_cross_entropy", 0,
        by_rows(x,
                [&](const Floats& row, unsigned number) {
                  const float most = greatest_of(row), log_sum = strict::log(sum_of(exponentials(row, most)));
                  return Floats{labels[number] < shape.n ? -((row[labels[number]] - most) - log_sum) : NAN};
                }),
        x, labels);
  const auto rows = float(shape.rows);
  check("rows_cross_entropy_grad", rows,
        by_rows(x,
                [&](const Floats& row, unsigned number) {
                  Floats e = exponentials(row, greatest_of(row));
                  const float sum = sum_of(e), share = upstream[0] / rows;
                  for (std::size_t i = 0; i < e.size(); ++i)
                    e[i] = (e[i] / sum - (i == labels[number] ? 1.0f : 0.0f)) * share;
                  return e;
                }),
        x, upstream, labels);
}

TEST_P(MetalRows, MaskedSoftmax) {
  const Floats x = drawn(elements(), range, 8);
  Floats mask = drawn(elements(), Range::ordinary, 9);
  for (float& element : mask) element = element < 1 ? 0.0f : 1.0f;
  const Floats expected = by_rows(x, [&](const Floats& row, unsigned number) {
    const Floats open = row_of(mask, number, shape.n);
    float most = -INFINITY;
    for (std::size_t i = 0; i < row.size(); ++i)
      if (open[i] != 0) most = strict::maximum(most, row[i]);
    Floats e = exponentials(row, most);
    for (std::size_t i = 0; i < row.size(); ++i) e[i] = open[i] != 0 ? e[i] : 0;
    const float sum = sum_of(e);
    for (float& element : e) element = element == 0 ? 0 : element / sum;
    return e;
  });
  MaskedRows constants{};
  constants.rows_per_matrix = constants.count = shape.rows;
  constants.n = shape.n;
  for (const Way& way : ways()) {
    Kernel kernel(library(), way, "rows_masked_softmax");
    kernel.reads(x).reads(mask).writes(elements()).run(teams_for(shape.rows), team_threads, constants);
    expect_bits(kernel.result(), expected, "rows_masked_softmax");
  }
}

std::string name_of(const testing::TestParamInfo<std::tuple<Shape, Range>>& of) {
  const Shape& shape = std::get<0>(of.param);
  const char* ranges[] = {"ordinary", "tiny", "wild"};
  return std::to_string(shape.rows) + "x" + std::to_string(shape.n) + "_" + ranges[int(std::get<1>(of.param))];
}
INSTANTIATE_TEST_SUITE_P(Of, MetalRows,
                         testing::Combine(testing::Values(Shape{1, 1}, Shape{3, 5}, Shape{17, 16}, Shape{20, 17},
                                                          Shape{35, 10}, Shape{2, 100}, Shape{2, 4096}, Shape{1, 4097},
                                                          Shape{1, 70000}),
                                          testing::Values(Range::ordinary, Range::tiny, Range::wild)),
                         name_of);

// -- reductions ---------------------------------------------------------------------------------------------

/// A tensor (outer, members, inner), of which the middle axis is reduced.
struct Groups {
  unsigned outer, members, inner;
};
Reduction constants_of(const Groups& g) {
  Reduction r{};
  for (unsigned i = 0; i < 8; ++i) r.extents[i] = 1;
  const unsigned extents[] = {g.outer, g.inner, g.members}, strides[] = {g.members * g.inner, 1, g.inner};
  std::copy(extents, extents + 3, r.extents);
  std::copy(strides, strides + 3, r.strides);
  r.group_axes = 2;
  r.axes = 3;
  r.members = g.members;
  r.blocks = std::max(1u, (g.members + 4095) / 4096);
  r.count = g.outer * g.inner * r.blocks;
  r.divisor = 1;
  return r;
}

class MetalReductions : public testing::TestWithParam<Groups> {
 protected:
  Groups groups = GetParam();
  std::size_t elements() const { return std::size_t{groups.outer} * groups.members * groups.inner; }
  Floats group_of(const Floats& x, unsigned number) const {
    Floats out;
    for (unsigned i = 0; i < groups.members; ++i)
      out.push_back(
          x[number / groups.inner * groups.members * groups.inner + i * groups.inner + number % groups.inner]);
    return out;
  }
  unsigned count() const { return groups.outer * groups.inner; }
  Library& library() const { return elements() < 3000 ? checked() : plain(); }
};

TEST_P(MetalReductions, SumBlocks) {
  const Floats x = drawn(elements(), Range::tiny, 11);
  Reduction constants = constants_of(groups);
  constants.divides = 1;
  constants.divisor = 3;
  Floats expected;
  for (unsigned number = 0; number < count(); ++number) {
    const Floats group = group_of(x, number);
    for (std::size_t begin = 0; begin < std::max<std::size_t>(group.size(), 1); begin += 4096) {
      const std::size_t end = std::min(group.size(), begin + 4096);
      expected.push_back(sum_of(Floats(group.begin() + std::ptrdiff_t(begin), group.begin() + std::ptrdiff_t(end))) /
                         3);
    }
  }
  for (const Way& way : ways()) {
    Kernel kernel(library(), way, "reductions_sum");
    kernel.reads(x).writes(constants.count).run(teams_for(constants.count), team_threads, constants);
    expect_bits(kernel.result(), expected, "reductions_sum");
  }
}

TEST_P(MetalReductions, GreatestAndItsGradient) {
  if (groups.members == 0) return;
  Floats x = drawn(elements(), Range::wild, 12);
  for (std::size_t i = 0; i < x.size(); i += 3) x[i] = 4;  // several winners
  const Floats upstream = drawn(count(), Range::tiny, 13);
  Reduction constants = constants_of(groups);
  constants.count = count();
  Floats most(count()), gradient(x.size());
  for (unsigned number = 0; number < count(); ++number) {
    const Floats group = group_of(x, number);
    most[number] = greatest_of(group);
    const auto winners = float(std::count(group.begin(), group.end(), most[number]));
    for (unsigned i = 0; i < groups.members; ++i) {
      const std::size_t at =
          number / groups.inner * groups.members * groups.inner + i * groups.inner + number % groups.inner;
      gradient[at] = x[at] == most[number] ? upstream[number] / winners : 0;
    }
  }
  for (const Way& way : ways()) {
    Kernel kernel(library(), way, "reductions_max");
    kernel.reads(x).writes(count()).run(teams_for(count()), team_threads, constants);
    expect_bits(kernel.result(), most, "reductions_max");
    Kernel grad(library(), way, "reductions_max_grad");
    grad.reads(x).reads(most).reads(upstream).writes(x.size()).run({2, 1, 1}, 8, constants);
    expect_bits(grad.result(), gradient, "reductions_max_grad");
  }
}

INSTANTIATE_TEST_SUITE_P(Of, MetalReductions,
                         testing::Values(Groups{1, 1, 1}, Groups{3, 7, 1}, Groups{2, 16, 5}, Groups{1, 40, 20},
                                         Groups{5, 33, 3}, Groups{2, 0, 2}, Groups{2, 5000, 1}, Groups{1, 4097, 3}),
                         [](const auto& of) {
                           return std::to_string(of.param.outer) + "x" + std::to_string(of.param.members) + "x" +
                                  std::to_string(of.param.inner);
                         });

TEST(MetalSquares, AreOfDifferences) {
  for (const unsigned n : {1u, 16u, 100u, 5000u}) {
    const Floats x = drawn(n, Range::tiny, 14), target = drawn(n, Range::tiny, 15);
    Floats squares;
    for (unsigned i = 0; i < n; ++i) squares.push_back((x[i] - target[i]) * (x[i] - target[i]));
    Floats expected;
    for (unsigned begin = 0; begin < n; begin += 4096)
      expected.push_back(sum_of(Floats(squares.begin() + begin, squares.begin() + std::min(n, begin + 4096))));
    const Reduction constants = constants_of({1, n, 1});
    for (const Way& way : ways()) {
      Kernel kernel(n < 3000 ? checked() : plain(), way, "reductions_squares");
      kernel.reads(x).reads(target).writes(expected.size()).run({1, 1, 1}, team_threads, constants);
      expect_bits(kernel.result(), expected, "reductions_squares");
    }
  }
}

/// More than 4096 blocks: the tree's third level.
TEST(MetalLongRows, SumSeventeenMillion) {
  constexpr unsigned n = 4096 * 4096 + 5;
  const Floats y = drawn(n, Range::ordinary, 16);
  Floats expected(n);
  for (unsigned i = 0; i < n; ++i) expected[i] = y[i] * y[i];
  const float sum = sum_of(expected);
  for (unsigned i = 0; i < n; ++i) expected[i] = y[i] * (y[i] - sum);
  Runner runner(plain());
  auto* both = runner.of(y);
  auto* result = runner.unwritten<float>(n);
  runner.run("rows_softmax_vjp", {1, 1, 1}, team_threads, {both, both, result}, Rows{1, n, 0});
  expect_bits(runner.read(result, n), expected, "rows_softmax_vjp");
}

}  // namespace
}  // namespace gpusim::msl
