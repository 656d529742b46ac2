// Products of matrices.
#include "products.h"

#include "kernel.h"

namespace tenon::vulkan {

namespace {

/// What one invocation of tiles.comp folds.
struct Tile {
  std::uint64_t rows, columns;

  bool fits(const Product& product) const {
    return product.rows % rows == 0 && product.columns % columns == 0 && product.depth % 4 == 0 && product.depth != 0;
  }
  std::uint64_t count(const Product& product) const { return product.elements() / (rows * columns); }
  Constants constants() const { return {0, static_cast<std::uint32_t>(rows), static_cast<std::uint32_t>(columns / 4)}; }
};
constexpr Tile tile{4, 8}, large_tile{8, 32};
constexpr std::uint64_t enough_tiles = 256;  // to occupy a processor with several cores

}  // namespace

Pass& add_product(Plan& plan, std::uint32_t shader_number, const Product& product, std::optional<std::uint32_t> tiled) {
  const bool tiles = tiled && tile.fits(product);
  Pass& pass = plan.add(tiles ? *tiled : shader_number).over(tiles ? tile.count(product) : product.elements());
  if (tiles) pass.constants = tile.constants();
  // Loads are dear on a software device, registers are not.
  if (tiles && large_tile.fits(product) && large_tile.count(product) >= enough_tiles)
    pass.on_software = {large_tile.constants(), large_tile.count(product)};
  product.put(pass.push);
  return pass;
}

namespace {

constexpr tenon_numerics fold_numerics = plugin::strict_numerics(TENON_REDUCTION_FIXED_LEFT);

/// (..., m, k) by (..., k, n); leading axes broadcast.
template <class T>
struct Matmul {
  using dtypes = T(T, T);
  static constexpr tenon_numerics numerics = fold_numerics;
  Plan plan(const SignatureView& s) const {
    const TensorView left = s.operand(0), right = s.operand(1);
    if (left.rank() < 2 || right.rank() < 2 || s.output().rank() < 2 || extent(right, 2) != extent(left, 1)) {
      plugin::refuse("[matmul] left ", left.shape(), ", right ", right.shape());
    }
    const Matrices matrices(s, 2);
    Plan plan;
    add_product(plan, shader("products.matmul"), {extent(left, 2), extent(left, 1), extent(right, 1), matrices, 0, 1},
                shader("tiles.matmul"))
        .reads(s, 0)
        .reads(s, 1)
        .writes(s);
    return plan;
  }
};

/// x (..., in) times weight (out, in) transposed, plus bias (out), which is added last.
template <class T>
struct Linear {
  using dtypes = T(T, T, T);
  static constexpr tenon_numerics numerics = fold_numerics;
  Plan plan(const SignatureView& s) const {
    const TensorView x = s.operand(0), weight = s.operand(1), bias = s.operand(2);
    if (weight.rank() != 2 || x.rank() < 1 || x.extent_from_end(1) != weight.extent(1) ||
        bias.elements() != extent(weight, 2)) {
      plugin::refuse("[linear] x ", x.shape(), ", weight ", weight.shape(), ", bias ", bias.shape());
    }
    Plan plan;
    add_product(plan, shader("products.linear"),
                {Rows::of(s.output()).count, extent(weight, 1), extent(weight, 2), Matrices(), 0, 1},
                shader("tiles.linear"))
        .reads(s, 0)
        .reads(s, 1)
        .reads(s, 2)
        .writes(s);
    return plan;
  }
};

TENON_CAPSULES capsules = plugin::join(both<"matmul", Matmul>, both<"linear", Linear>);

}  // namespace
}  // namespace tenon::vulkan
