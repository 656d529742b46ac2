// Products of matrices, strict and fused, in tiles of three sizes: the host takes the largest that still gives every
// multiprocessor something to do.
#include "products.h"
#include "walk.h"

namespace tenon::gpu {
namespace {

/// (..., m, k) by (..., k, n), or where the right matrices are transposed by (..., n, k); the walks say which meet.
template <class T, unsigned Side, Along right_along, class Add>
TENON_DEVICE void matmul(const Extents& extents, const Walk& lefts, const Walk& rights, T* output, const T* left,
                         const T* right) {
  const auto tile = TileNumber<Side>::of(extents);
  multiply_tile<T, Side>(
      extents, tile, Add(),
      Stored<T, Side, Along::depth>(left + lefts.offset(tile.matrix), tile.row(), extents.rows, extents.depth),
      Stored<T, Side, right_along>(right + rights.offset(tile.matrix), tile.column(), extents.columns, extents.depth),
      Dense<Chunk<T, Side>, T>{output + tile.matrix * extents.rows * extents.columns, extents.columns});
}

/// x (m, k) times weight (n, k) transposed, plus bias (n), which is added last.
template <class T, unsigned Side, class Add>
TENON_DEVICE void linear(const Extents& extents, T* output, const T* x, const T* weight, const T* bias) {
  const auto tile = TileNumber<Side>::of(extents);
  multiply_tile<T, Side>(extents, tile, Add(),
                         Stored<T, Side, Along::depth>(x, tile.row(), extents.rows, extents.depth),
                         Stored<T, Side, Along::depth>(weight, tile.column(), extents.columns, extents.depth),
                         Biased<Chunk<T, Side>, T>{{output, extents.columns}, bias});
}

}  // namespace
}  // namespace tenon::gpu

using namespace tenon::gpu;

#define TENON_PRODUCTS(T, suffix, side, kind, Add)                                                                    \
  TENON_KERNEL(matmul_##kind##_##side##_##suffix, Extents extents, Walk lefts, Walk rights, T* output, const T* left, \
               const T* right) {                                                                                      \
    matmul<T, side, Along::outer, Add>(extents, lefts, rights, output, left, right);                                  \
  }                                                                                                                   \
  TENON_KERNEL(matmul_transposed_##kind##_##side##_##suffix, Extents extents, Walk lefts, Walk rights, T* output,     \
               const T* left, const T* right) {                                                                       \
    matmul<T, side, Along::depth, Add>(extents, lefts, rights, output, left, right);                                  \
  }                                                                                                                   \
  TENON_KERNEL(linear_##kind##_##side##_##suffix, Extents extents, T* output, const T* x, const T* weight,            \
               const T* bias) {                                                                                       \
    linear<T, side, Add>(extents, output, x, weight, bias);                                                           \
  }

TENON_PRODUCTS(float, f32, 32, strict, Separate)
TENON_PRODUCTS(float, f32, 64, strict, Separate)
TENON_PRODUCTS(float, f32, 128, strict, Separate)
TENON_PRODUCTS(double, f64, 32, strict, Separate)
TENON_PRODUCTS(double, f64, 64, strict, Separate)
TENON_PRODUCTS(float, f32, 32, fused, Fused)
TENON_PRODUCTS(float, f32, 64, fused, Fused)
TENON_PRODUCTS(float, f32, 128, fused, Fused)
TENON_PRODUCTS(double, f64, 32, fused, Fused)
TENON_PRODUCTS(double, f64, 64, fused, Fused)
