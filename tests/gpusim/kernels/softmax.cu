// The softmax of a row by each block, in dynamic shared memory, and what can go wrong with one.
namespace {

enum class Bug {
  none,
  buffer_reused_early,  // the sums overwrite the maximum while some still read it
  shuffle_in_branch,    // lanes beyond the row do not come to the shuffle
  buffer_short,         // one element of dynamic shared memory too few
  maximum_unwritten,    // the maximum is read from where nobody put it
};

template <class Combine>
__device__ float all_of_block(float* buffer, float mine, bool reused_early, Combine combine) {
  buffer[threadIdx.x] = mine;
  __syncthreads();
  for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) buffer[threadIdx.x] = combine(buffer[threadIdx.x], buffer[threadIdx.x + half]);
    __syncthreads();
  }
  const float result = buffer[0];
  if (!reused_early) __syncthreads();
  return result;
}

template <Bug bug>
__device__ void softmax_row(const float* x, float* y, int n) {
  float* buffer = static_cast<float*>(::gpusim::call_dynamic_shared());
  const float* row = x + blockIdx.x * n;
  const int i = threadIdx.x;
  float mine = i < n ? row[i] : -INFINITY;
  float greatest =
      all_of_block(buffer, mine, bug == Bug::buffer_reused_early, [](float a, float b) { return a < b ? b : a; });
  if (bug == Bug::shuffle_in_branch && i < n) greatest = __shfl_sync(~0ull, greatest, 0);
  if (bug == Bug::buffer_short && i == 0) greatest = buffer[blockDim.x];
  if (bug == Bug::maximum_unwritten) {
    __shared__ float kept;
    if (greatest > 1e30f) kept = greatest;
    __syncthreads();
    greatest = kept;
  }
  mine = i < n ? expf(mine - greatest) : 0.0f;
  const float sum = all_of_block(buffer, mine, false, [](float a, float b) { return a + b; });
  if (i < n) y[blockIdx.x * n + i] = mine / sum;
}

}  // namespace

#define SOFTMAX(name, bug) \
  extern "C" __global__ void name(const float* x, float* y, int n) { softmax_row<Bug::bug>(x, y, n); }

SOFTMAX(softmax, none)
SOFTMAX(softmax_buffer_reused_early, buffer_reused_early)
SOFTMAX(softmax_shuffle_in_branch, shuffle_in_branch)
SOFTMAX(softmax_buffer_short, buffer_short)
SOFTMAX(softmax_maximum_unwritten, maximum_unwritten)
