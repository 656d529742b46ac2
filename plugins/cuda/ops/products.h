// products.h: which of the tiled products (kernels/products.h) serves a shape. Pure functions; any thread.
#pragma once
#include "walks.h"

namespace tenon::gpu {

/// What a rule of products is, and how its kernels are called.
struct StrictProducts : Folds {
  static constexpr const char* kind = "strict";
};
struct FusedProducts {
  static constexpr const char* kind = "fused";
};

/// The largest tile that still gives every multiprocessor a block; the smallest where none does.
template <class T>
unsigned tile_side(const Plan& plan, const Extents& extents, std::uint64_t matrices) {
  constexpr unsigned largest = sizeof(T) == 4 ? 128 : 64;  // 64 sums of a thread fit its registers, of 8 bytes 16
  for (unsigned side = largest; side > 32; side /= 2) {
    if (extents.tiles(side) * matrices >= plan.device().multiprocessors()) return side;
  }
  return 32;
}

/// `kernel` over the tiles of so many products, its name completed: "matmul" to "matmul_strict_64".
template <class T, class... A>
void multiply(Plan& plan, const std::string& kernel, const char* kind, const Extents& extents, std::uint64_t matrices,
              A... arguments) {
  const unsigned side = tile_side<T>(plan, extents, matrices);
  plan.count_flops(2 * matrices * extents.rows * extents.columns * extents.depth);
  plan.launch("linear_algebra", plugin::text(kernel, "_", kind, "_", side), extents.tiles(side) * matrices, extents,
              arguments...);
}

}  // namespace tenon::gpu
