#include "case_list.h"
#include "host_walk.h"
#include "tenon/gradient_helpers.h"
#include "tenon/op_table.h"

namespace tenon {
namespace gradient {
namespace {

/// All leading axes as one: (..., n) as (rows, n).
Value as_rows(Value x) {
  const Shape shape = shape_of(x);
  return shape.rank < 2 ? reshape_to(x, {1, elements(shape)})
                        : reshape_to(x, {known_elements(shape.first(shape.rank - 1)), shape[-1]});
}

}  // namespace

void matmul(GradientCall& c) {
  const Value left = c.operands[0], right = c.operands[1];
  if (c.wanted[0]) c.gradient[0] = sum_to(matmul(c.upstream, transpose(right)), shape_of(left));
  if (c.wanted[1]) c.gradient[1] = sum_to(matmul(transpose(left), c.upstream), shape_of(right));
}

void linear(GradientCall& c) {
  const Value x = c.operands[0], weight = c.operands[1], upstream = as_rows(c.upstream);
  if (c.wanted[0]) c.gradient[0] = reshape_to(matmul(upstream, weight), shape_of(x));
  if (c.wanted[1]) c.gradient[1] = matmul(transpose(upstream), as_rows(x));
  if (c.wanted[2]) c.gradient[2] = reduce_sum(upstream, Axes{Shape{0}});
}

}  // namespace gradient

namespace reference {

void matmul(ReferenceCall& c) {
  const HostArray &left = c.operands[0], &right = c.operands[1];
  HostArray& out = c.outputs[0];
  const int rank = out.shape.rank;
  for_each_index(out.shape, [&](const Index& index, std::size_t i) {
    Index row = index, column = index;
    double sum = 0;
    for (Extent k = 0; k < left.shape[-1]; ++k) {
      row[static_cast<std::size_t>(rank - 1)] = column[static_cast<std::size_t>(rank - 2)] = k;
      sum += left.values[position(left.shape, row, rank)] * right.values[position(right.shape, column, rank)];
    }
    out.values[i] = sum;
  });
}

void linear(ReferenceCall& c) {
  const HostArray &x = c.operands[0], &weight = c.operands[1], &bias = c.operands[2];
  HostArray& out = c.outputs[0];
  const std::size_t features = last_extent(x.shape), results = last_extent(out.shape);
  for (std::size_t i = 0; i < out.values.size(); ++i) {
    const std::size_t row = i / results, column = i % results;
    double sum = 0;
    for (std::size_t k = 0; k < features; ++k)
      sum += x.values[row * features + k] * weight.values[column * features + k];
    out.values[i] = sum + bias.values[column];
  }
}

}  // namespace reference

namespace cases {
namespace {

/// binary32 folds of k products with magnitude around 1 wander off by some k^(3/2) roundings at worst.
std::vector<Case> with_tolerances(std::vector<Case> cases) {
  for (Case& c : cases) c.tolerance = c.operands[0][-1] > 1000 ? 2e-4 : 2e-5;
  return cases;
}

}  // namespace

std::vector<Case> matmul() {
  return with_tolerances({drawn({Shape{2, 3}, Shape{3, 4}}), drawn({Shape{1, 1}, Shape{1, 1}}),
                          drawn({Shape{5, 0}, Shape{0, 3}}), drawn({Shape{0, 3}, Shape{3, 2}}),
                          drawn({Shape{17, 33}, Shape{33, 9}}), drawn({Shape{65, 40}, Shape{40, 67}}),
                          drawn({Shape{1, 4099}, Shape{4099, 1}}), drawn({Shape{2, 3, 4}, Shape{2, 4, 5}}),
                          drawn({Shape{3, 4}, Shape{2, 4, 5}}), drawn({Shape{2, 3, 4}, Shape{4, 5}}),
                          drawn({Shape{2, 1, 3, 4}, Shape{5, 4, 2}}), drawn({Shape{0, 3, 4}, Shape{1, 4, 2}}),
                          drawn({Shape{1, 1, 1, 2, 1, 1, 3, 2}, Shape{2, 2, 2}})});
}

std::vector<Case> linear() {
  return with_tolerances({drawn({Shape{5, 3}, Shape{4, 3}, Shape{4}}), drawn({Shape{3}, Shape{4, 3}, Shape{4}}),
                          drawn({Shape{2, 3, 5}, Shape{4, 5}, Shape{4}}), drawn({Shape{1, 1}, Shape{1, 1}, Shape{1}}),
                          drawn({Shape{0, 3}, Shape{4, 3}, Shape{4}}), drawn({Shape{2, 0}, Shape{4, 0}, Shape{4}}),
                          drawn({Shape{2, 3}, Shape{0, 3}, Shape{0}}), drawn({Shape{67, 33}, Shape{65, 33}, Shape{65}}),
                          drawn({Shape{2, 4099}, Shape{3, 4099}, Shape{3}})});
}

}  // namespace cases
}  // namespace tenon
