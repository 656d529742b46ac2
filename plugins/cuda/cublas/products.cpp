#include "products.h"

namespace tenon::gpu::cublas {
namespace {

using plugin::TensorView;

/// How far an operand's matrices stand apart along an axis; `dense` is the distance that the axis would give it.
std::int64_t step_along(const TensorView& operand, std::size_t from_end, std::int64_t& dense) {
  const std::int64_t extent = operand.extent_from_end(from_end), step = extent == 1 ? 0 : dense;
  dense *= extent;
  return step;
}

/// One axis with the axis within it, where one step serves both.
bool merge(Batch& inner, const Batch& axis) {
  const auto continues = [&](std::int64_t of_axis, std::int64_t of_inner) { return of_axis == of_inner * inner.count; };
  if (inner.count != 1 && !(continues(axis.left, inner.left) && continues(axis.right, inner.right))) return false;
  if (inner.count == 1)
    inner = axis;
  else
    inner.count *= axis.count;
  return true;
}

/// The leading axes as few batches, outermost first.
std::vector<Batch> batches_of(const TensorView& left, const TensorView& right, const TensorView& result) {
  std::int64_t in_left = left.extent_from_end(1) * left.extent_from_end(2),
               in_right = right.extent_from_end(1) * right.extent_from_end(2),
               in_result = result.extent_from_end(1) * result.extent_from_end(2);
  std::vector<Batch> batches{Batch{}};
  for (std::size_t from_end = 3; from_end <= result.rank(); ++from_end) {
    Batch axis{result.extent_from_end(from_end)};
    axis.left = step_along(left, from_end, in_left);
    axis.right = step_along(right, from_end, in_right);
    axis.result = step_along(result, from_end, in_result);
    if (axis.count != 1 && !merge(batches.front(), axis)) batches.insert(batches.begin(), axis);
  }
  return batches;
}

}  // namespace

Products products_of(const TensorView& left, const TensorView& right, const TensorView& result) {
  Products products;
  products.rows = left.extent_from_end(2);
  products.columns = right.extent_from_end(1);
  products.depth = left.extent_from_end(1);
  products.around = batches_of(left, right, result);
  products.batch = products.around.back();
  products.around.pop_back();
  // Matrices that lie one behind the other, times one and the same, are one matrix.
  if (products.batch.right == 0 && products.batch.left == products.rows * products.depth) {
    products.rows *= products.batch.count;
    products.batch = {};
  }
  return products;
}

std::uint64_t Products::calls() const {
  std::uint64_t calls = 1;
  for (const Batch& axis : around) calls *= static_cast<std::uint64_t>(axis.count);
  return calls;
}

std::vector<Place> Products::places() const {
  std::vector<Place> places{Place{}};
  for (const Batch& axis : around) {
    std::vector<Place> finer;
    for (const Place& at : places)
      for (std::int64_t i = 0; i < axis.count; ++i)
        finer.push_back({at.left + i * axis.left, at.right + i * axis.right, at.result + i * axis.result});
    places = std::move(finer);
  }
  return places;
}

}  // namespace tenon::gpu::cublas
