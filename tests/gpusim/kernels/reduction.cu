// A sum over all blocks by shuffles, shared memory and an atomic, and what can go wrong with one.
namespace {

enum class Bug {
  none,
  barrier_missing,       // one thread reads what the warps still write
  mask_of_32_lanes,      // in a warp of 64, half of the lanes is not in it
  one_too_far,           // reads behind the end
  not_atomic,            // blocks add to one element
  partials_unwritten,    // reads a shared element for a warp that is not there
  tree_without_barrier,  // the halves of a tree in shared memory are not kept apart
  barrier_in_branch,     // only some threads come to the barrier of the tree
};

constexpr int max_threads = 256, max_warps = 8;

__device__ float sum_of_thread(const float* x, int n) {
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += x[i];
  return sum;
}

template <Bug bug>
__device__ void sum_by_shuffles(const float* x, float* out, int n) {
  __shared__ float partial[max_warps];
  float sum = sum_of_thread(x, bug == Bug::one_too_far ? n + 1 : n);
  const auto mask = bug == Bug::mask_of_32_lanes ? 0xffffffffull : ~0ull;
  for (int distance = warpSize / 2; distance > 0; distance /= 2) sum += __shfl_down_sync(mask, sum, distance);
  const int warps = (blockDim.x + warpSize - 1) / warpSize;
  if (threadIdx.x % warpSize == 0) partial[threadIdx.x / warpSize] = sum;
  if (bug != Bug::barrier_missing) __syncthreads();
  if (threadIdx.x != 0) return;
  float total = 0;
  for (int i = 0; i < (bug == Bug::partials_unwritten ? warps + 1 : warps); ++i) total += partial[i];
  if (bug == Bug::not_atomic) {
    *out += total;
  } else {
    atomicAdd(out, total);
  }
}

template <Bug bug>
__device__ void sum_by_tree(const float* x, float* out, int n) {
  __shared__ float partial[max_threads];
  partial[threadIdx.x] = sum_of_thread(x, n);
  __syncthreads();
  for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) {
      partial[threadIdx.x] += partial[threadIdx.x + half];
      if (bug == Bug::barrier_in_branch) __syncthreads();
    }
    if (bug != Bug::tree_without_barrier && bug != Bug::barrier_in_branch) __syncthreads();
  }
  if (threadIdx.x == 0) atomicAdd(out, partial[0]);
}

}  // namespace

#define SUM(name, form, bug) \
  extern "C" __global__ void name(const float* x, float* out, int n) { sum_by_##form<Bug::bug>(x, out, n); }

SUM(sum_shuffles, shuffles, none)
SUM(sum_barrier_missing, shuffles, barrier_missing)
SUM(sum_mask_of_32_lanes, shuffles, mask_of_32_lanes)
SUM(sum_one_too_far, shuffles, one_too_far)
SUM(sum_not_atomic, shuffles, not_atomic)
SUM(sum_partials_unwritten, shuffles, partials_unwritten)
SUM(sum_tree, tree, none)
SUM(sum_tree_without_barrier, tree, tree_without_barrier)
SUM(sum_barrier_in_branch, tree, barrier_in_branch)
