// Products of matrices, strict and fused, in tiles of three sizes: the host takes the largest that still gives every
// multiprocessor something to do.
#include "products.h"
#include "walk.h"

namespace tenon::gpu {
namespace {

/// (..., m, k) by (..., k, n); the walks say which matrices meet.
template <class T, unsigned Side, class Add>
TENON_DEVICE void matmul(const Extents& extents, const Walk& lefts, const Walk& rights, T* output, const T* left,
                         const T* right) {
  const std::uint64_t tiles = extents.tiles(Side), matrix = blockIdx.x / tiles;
  const T* a = left + lefts.offset(matrix);
  const T* b = right + rights.offset(matrix);
  T* to = output + matrix * extents.rows * extents.columns;
  multiply_tile<T, Side, Along::depth, Along::outer>(
      extents, blockIdx.x % tiles, Add(), [=](std::uint64_t i, std::uint64_t k) { return a[i * extents.depth + k]; },
      [=](std::uint64_t j, std::uint64_t k) { return b[k * extents.columns + j]; },
      [=](std::uint64_t i, std::uint64_t j, T sum) { to[i * extents.columns + j] = sum; });
}

/// (..., m, k) by (..., n, k), the right matrices transposed.
template <class T, unsigned Side, class Add>
TENON_DEVICE void matmul_transposed(const Extents& extents, const Walk& lefts, const Walk& rights, T* output,
                                    const T* left, const T* right) {
  const std::uint64_t tiles = extents.tiles(Side), matrix = blockIdx.x / tiles;
  const T* a = left + lefts.offset(matrix);
  const T* b = right + rights.offset(matrix);
  T* to = output + matrix * extents.rows * extents.columns;
  multiply_tile<T, Side, Along::depth, Along::depth>(
      extents, blockIdx.x % tiles, Add(), [=](std::uint64_t i, std::uint64_t k) { return a[i * extents.depth + k]; },
      [=](std::uint64_t j, std::uint64_t k) { return b[j * extents.depth + k]; },
      [=](std::uint64_t i, std::uint64_t j, T sum) { to[i * extents.columns + j] = sum; });
}

/// x (m, k) times weight (n, k) transposed, plus bias (n), which is added last.
template <class T, unsigned Side, class Add>
TENON_DEVICE void linear(const Extents& extents, T* output, const T* x, const T* weight, const T* bias) {
  multiply_tile<T, Side, Along::depth, Along::depth>(
      extents, blockIdx.x, Add(), [=](std::uint64_t i, std::uint64_t k) { return x[i * extents.depth + k]; },
      [=](std::uint64_t j, std::uint64_t k) { return weight[j * extents.depth + k]; },
      [=](std::uint64_t i, std::uint64_t j, T sum) { output[i * extents.columns + j] = sum + bias[j]; });
}

}  // namespace
}  // namespace tenon::gpu

using namespace tenon::gpu;

#define TENON_PRODUCTS(T, suffix, side, kind, Add)                                                               \
  TENON_DENSE_KERNEL(matmul_##kind##_##side##_##suffix, Extents extents, Walk lefts, Walk rights, T* output,     \
                     const T* left, const T* right) {                                                            \
    matmul<T, side, Add>(extents, lefts, rights, output, left, right);                                           \
  }                                                                                                              \
  TENON_DENSE_KERNEL(matmul_transposed_##kind##_##side##_##suffix, Extents extents, Walk lefts, Walk rights,     \
                     T* output, const T* left, const T* right) {                                                 \
    matmul_transposed<T, side, Add>(extents, lefts, rights, output, left, right);                                \
  }                                                                                                              \
  TENON_DENSE_KERNEL(linear_##kind##_##side##_##suffix, Extents extents, T* output, const T* x, const T* weight, \
                     const T* bias) {                                                                            \
    linear<T, side, Add>(extents, output, x, weight, bias);                                                      \
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
