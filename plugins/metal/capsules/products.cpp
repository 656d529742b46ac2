// Products of matrices.
#include "products.h"

#include "kernel.h"

namespace tenon::metal {

Pass& add_tiles(Plan& plan, const TileKernel& kernel, std::uint64_t rows, std::uint64_t columns, std::uint64_t depth) {
  constexpr std::uint64_t few_groups = 64;
  const auto groups = [&](std::uint64_t side) -> std::array<std::uint64_t, 3> {
    return {(columns + side - 1) / side, (rows + side - 1) / side, depth};
  };
  const auto usual = groups(tenon_metal::tile);
  const bool small = usual[0] * usual[1] * usual[2] < few_groups;
  Pass& pass = plan.add(small ? kernel.small : kernel.usual);
  pass.groups = small ? groups(tenon_metal::small_tile) : usual;
  pass.group_threads = small ? tenon_metal::small_tile_threads : tenon_metal::tile_threads;
  return pass;
}

Pass& add_product(Plan& plan, const TileKernel& kernel, const Product& product, float factor) {
  Pass& pass = add_tiles(plan, kernel, product.rows, product.columns, product.matrices.count());
  pass.constants = product.constants(factor);
  return pass;
}

namespace {

constexpr tenon_numerics fold_numerics = plugin::strict_numerics(TENON_REDUCTION_FIXED_LEFT);

constexpr TileKernel strict_matmul{"products_matmul", "products_matmul_small"},
    strict_linear{"products_linear", "products_linear_small"}, fast_matmul{"fast_matmul", "fast_matmul_small"},
    fast_linear{"fast_linear", "fast_linear_small"};

/// (..., m, k) by (..., k, n); leading axes broadcast.
template <const TileKernel& Of>
struct Matmul {
  using dtypes = float(float, float);
  static constexpr tenon_numerics numerics = fold_numerics;
  Plan plan(const SignatureView& s) const {
    const TensorView left = s.operand(0), right = s.operand(1);
    if (left.rank() < 2 || right.rank() < 2 || s.output().rank() < 2 || extent(right, 2) != extent(left, 1)) {
      plugin::refuse("[matmul] left ", left.shape(), ", right ", right.shape());
    }
    const Matrices matrices(s, 2);
    Plan plan;
    add_product(plan, Of, {extent(left, 2), extent(left, 1), extent(right, 1), matrices, 0, 1})
        .reads(s, 0)
        .reads(s, 1)
        .writes(s);
    return plan;
  }
};

/// x (..., in) times weight (out, in) transposed, plus bias (out), which is added last.
template <const TileKernel& Of>
struct Linear {
  using dtypes = float(float, float, float);
  static constexpr tenon_numerics numerics = fold_numerics;
  Plan plan(const SignatureView& s) const {
    const TensorView x = s.operand(0), weight = s.operand(1), bias = s.operand(2);
    if (weight.rank() != 2 || x.rank() < 1 || x.extent_from_end(1) != weight.extent(1) ||
        bias.elements() != extent(weight, 2)) {
      plugin::refuse("[linear] x ", x.shape(), ", weight ", weight.shape(), ", bias ", bias.shape());
    }
    Plan plan;
    add_product(plan, Of, {Rows::of(s.output()).count, extent(weight, 1), extent(weight, 2), Matrices(), 0, 1})
        .reads(s, 0)
        .reads(s, 1)
        .reads(s, 2)
        .writes(s);
    return plan;
  }
};

TENON_CAPSULES capsules = plugin::join(strict<"matmul", Matmul<strict_matmul>>, strict<"linear", Linear<strict_linear>>,
                                       fast<"matmul", Matmul<fast_matmul>>, fast<"linear", Linear<fast_linear>>);

}  // namespace
}  // namespace tenon::metal
