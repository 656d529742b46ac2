// A tiled matrix product, and what can go wrong with one. C (m, n) = A (m, k) B (k, n).
namespace {

constexpr int side = 16;

enum class Bug {
  none,
  first_barrier_missing,   // tiles are read before all of them is there
  second_barrier_missing,  // tiles are overwritten while they are read
  rows_unguarded,          // reads behind the end of A
  early_exit,              // threads beyond the edge leave before the barrier
  index_beyond_tile,       // a row of the tile is one too short, which lands in the next row
  store_unguarded,         // writes behind the end of C
};

template <Bug bug>
__device__ void multiply(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float a_tile[side][side];
  __shared__ float b_tile[side][side];
  const int x = threadIdx.x, y = threadIdx.y;
  const int row = blockIdx.y * side + y, column = blockIdx.x * side + x;
  if (bug == Bug::early_exit && (row >= m || column >= n)) return;
  float sum = 0;
  for (int begin = 0; begin < k; begin += side) {
    const bool in_a = (bug == Bug::rows_unguarded || row < m) && begin + x < k;
    a_tile[y][x] = in_a ? a[row * k + begin + x] : 0.0f;
    b_tile[y][x] = begin + y < k && column < n ? b[(begin + y) * n + column] : 0.0f;
    if (bug != Bug::first_barrier_missing) __syncthreads();
    for (int i = 0; i < side; ++i) {
      const int at = bug == Bug::index_beyond_tile ? i + 1 : i;
      sum += a_tile[y][at] * b_tile[i][x];
    }
    if (bug != Bug::second_barrier_missing) __syncthreads();
  }
  if (bug == Bug::store_unguarded ? column < n : row < m && column < n) c[row * n + column] = sum;
}

}  // namespace

#define MATMUL(name, bug)                                                                          \
  extern "C" __global__ void name(const float* a, const float* b, float* c, int m, int n, int k) { \
    multiply<Bug::bug>(a, b, c, m, n, k);                                                          \
  }

MATMUL(matmul, none)
MATMUL(matmul_first_barrier_missing, first_barrier_missing)
MATMUL(matmul_second_barrier_missing, second_barrier_missing)
MATMUL(matmul_rows_unguarded, rows_unguarded)
MATMUL(matmul_early_exit, early_exit)
MATMUL(matmul_index_beyond_tile, index_beyond_tile)
MATMUL(matmul_store_unguarded, store_unguarded)
