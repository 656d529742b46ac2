// Reductions: the elements along some axes, in row-major order with the axes ascending, become one.
#include "reductions.h"

namespace tenon::gpu {
namespace {

/// Members of results by two walks over x: over the results along the axes that stay, and inside one along the others.
template <class T>
struct Members {
  const T* x;
  const Walk &results, &members;
  TENON_DEVICE T operator()(std::uint64_t result, std::uint64_t i) const {
    return x[results.offset(result) + members.offset(i)];
  }
};

template <class T>
struct Quotient {
  T divisor;
  TENON_DEVICE T operator()(T sum) const { return sum / divisor; }
};
struct Same {
  template <class T>
  TENON_DEVICE T operator()(T value) const {
    return value;
  }
};

/// One block of threads for each group: how many elements are as great as y, then each one's share.
template <class T>
TENON_DEVICE void reduce_max_grad(const Walk& groups, const Walk& members, T* output, const T* x, const T* y,
                                  const T* upstream) {
  TENON_SHARED std::uint64_t counts[block_threads];
  const std::int64_t first = groups.offset(blockIdx.x);
  const T greatest = y[blockIdx.x];
  std::uint64_t mine = 0;
  for (std::uint64_t i = threadIdx.x; i < members.count; i += block_threads)
    mine += x[first + members.offset(i)] == greatest ? 1 : 0;
  counts[threadIdx.x] = mine;
  for (unsigned half = block_threads / 2; half != 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) counts[threadIdx.x] += counts[threadIdx.x + half];
  }
  __syncthreads();
  const T share = upstream[blockIdx.x] / static_cast<T>(counts[0]);
  for (std::uint64_t i = threadIdx.x; i < members.count; i += block_threads) {
    const std::int64_t at = first + members.offset(i);
    output[at] = x[at] == greatest ? share : T(0);
  }
}

}  // namespace
}  // namespace tenon::gpu

using namespace tenon::gpu;

#define TENON_REDUCTIONS(T, suffix)                                                                                    \
  TENON_KERNEL(sum_neighbours_##suffix, Walk results, Walk members, T* output, const T* x, T divisor) {                \
    reduce_neighbours(Cells{results.count, members.count}, output, T(0), Plus(), Members<T>{x, results, members},      \
                      Quotient<T>{divisor});                                                                           \
  }                                                                                                                    \
  TENON_KERNEL(sum_staged_##suffix, Walk results, Walk members, T* output, const T* x, T divisor) {                    \
    reduce_staged(Cells{results.count, members.count}, output, SumOf(), Members<T>{x, results, members},               \
                  Quotient<T>{divisor});                                                                               \
  }                                                                                                                    \
  TENON_KERNEL(sum_columns_##suffix, Walk results, Walk members, T* output, const T* x, T divisor) {                   \
    reduce_columns(Cells{results.count, members.count}, output, T(0), Plus(), Members<T>{x, results, members},         \
                   Quotient<T>{divisor});                                                                              \
  }                                                                                                                    \
  TENON_KERNEL(max_neighbours_##suffix, Walk results, Walk members, T* output, const T* x) {                           \
    reduce_neighbours(Cells{results.count, members.count}, output, lowest<T>(), Greater(),                             \
                      Members<T>{x, results, members}, Same());                                                        \
  }                                                                                                                    \
  TENON_KERNEL(max_staged_##suffix, Walk results, Walk members, T* output, const T* x) {                               \
    reduce_staged(Cells{results.count, members.count}, output, GreatestOf(), Members<T>{x, results, members}, Same()); \
  }                                                                                                                    \
  TENON_KERNEL(max_columns_##suffix, Walk results, Walk members, T* output, const T* x) {                              \
    reduce_columns(Cells{results.count, members.count}, output, lowest<T>(), Greater(),                                \
                   Members<T>{x, results, members}, Same());                                                           \
  }                                                                                                                    \
  TENON_KERNEL(reduce_max_grad_##suffix, Walk groups, Walk members, T* output, const T* x, const T* y,                 \
               const T* upstream) {                                                                                    \
    reduce_max_grad(groups, members, output, x, y, upstream);                                                          \
  }

TENON_REDUCTIONS(float, f32)
TENON_REDUCTIONS(double, f64)
