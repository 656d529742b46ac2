// Kernels with one thing to say each: out (one element for each thread of the grid), in (as many), counter (one).
namespace {
__constant__ float table[4] = {1, 2, 3, 4};
__device__ int number() { return int(blockIdx.x * blockDim.x + threadIdx.x); }
__device__ void one_barrier() { __syncthreads(); }
}  // namespace

#define KERNEL(name) extern "C" __global__ void name(float* out, const float* in, int* counter)

// -- right ----------------------------------------------------------------------------------------------------------

KERNEL(warp_barrier) {
  __shared__ float values[256];
  values[threadIdx.x] = float(number());
  __syncwarp();
  out[number()] = values[threadIdx.x ^ 1];
}

KERNEL(table_read) { out[number()] = table[number() % 4]; }

KERNEL(vectors_read) {
  if (number() % 4 == 0) *reinterpret_cast<float4*>(out + number()) = *reinterpret_cast<const float4*>(in + number());
}

KERNEL(histogram) {
  __shared__ int bins[4];
  if (threadIdx.x < 4) bins[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&bins[number() % 4], 1);
  __syncthreads();
  out[number()] = float(bins[threadIdx.x % 4]);
}

// The greatest of the thread numbers, by a loop that fails when another thread comes between.
KERNEL(greatest_by_swap) {
  int seen = atomicAdd(counter, 0);
  while (seen < number()) {
    const int before = atomicCAS(counter, seen, number());
    if (before == seen) break;
    seen = before;
  }
  out[number()] = 0;
}

KERNEL(shuffle_with_width) { out[number()] = __shfl_xor_sync(~0ull, float(threadIdx.x), 1, 2); }

KERNEL(ballot_of_warp) { out[number()] = float(__popcll(__ballot_sync(~0ull, true))); }

KERNEL(halves_apart) {
  const unsigned lane = threadIdx.x % warpSize, half = warpSize / 2;
  const unsigned long long low = (1ull << half) - 1, mask = lane < half ? low : low << half;
  out[number()] = lane < half ? __shfl_sync(mask, float(lane), 0) : __shfl_sync(mask, float(lane), int(half));
}

KERNEL(barriers_in_uniform_branches) {
  __shared__ float values[256];
  values[threadIdx.x] = float(number());
  if (blockIdx.x % 2 == 0) {
    one_barrier();
    values[threadIdx.x] += 1;
  } else {
    one_barrier();
  }
  if (threadIdx.x < 32) values[threadIdx.x] *= 2;
  one_barrier();
  if (threadIdx.x < 32) values[threadIdx.x] -= 2;
  one_barrier();
  out[number()] = values[threadIdx.x ^ 1];
}

KERNEL(parts_moved) {
  __builtin_memmove(out + number(), in + number(), sizeof(float) * (unsigned(*counter) + 1));
}

KERNEL(local_array) {
  float squares[4];
  for (int i = 0; i < 4; ++i) squares[i] = float(i * i);
  out[number()] = squares[number() % 4];
}

extern "C" __global__ __launch_bounds__(64) void bounded(float* out) { out[number()] = 1; }
extern "C" __global__ void __launch_bounds__(32 + 32, 2) bounded_for_two(float* out) { out[number()] = 1; }

// -- wrong ----------------------------------------------------------------------------------------------------------

KERNEL(warp_barrier_missing) {
  __shared__ float values[256];
  values[threadIdx.x] = float(number());
  out[number()] = values[threadIdx.x ^ 1];
}

// clang does not check the alignment of a vector that is stored in parts, as one made of constants is.
KERNEL(misaligned_vector) { *reinterpret_cast<float2*>(out + 1) = *reinterpret_cast<const float2*>(in); }

KERNEL(histogram_not_atomic) {
  __shared__ int bins[4];
  if (threadIdx.x < 4) bins[threadIdx.x] = 0;
  __syncthreads();
  bins[number() % 4] += 1;
  __syncthreads();
  out[number()] = float(bins[threadIdx.x % 4]);
}

KERNEL(atomic_and_plain) {
  atomicAdd(counter, 1);
  out[number()] = float(*counter);
}

KERNEL(unwritten_input_read) { out[number()] = in[number()]; }

KERNEL(blocks_write_one_element) { out[threadIdx.x] = float(blockIdx.x); }

KERNEL(neighbour_block_read) {
  out[number()] = 1;
  out[number()] = out[(number() + int(blockDim.x)) % int(gridDim.x * blockDim.x)];
}

KERNEL(shared_index_beyond) {
  __shared__ float values[64];
  values[threadIdx.x] = 1;
  __syncthreads();
  out[number()] = values[threadIdx.x + (number() >= 0 ? 64 : 0)];
}

KERNEL(host_pointer) { *reinterpret_cast<float*>(0x1234560) = out[0]; }

KERNEL(below_the_begin) { out[number()] = (in - 1)[number()]; }

KERNEL(constant_written) { table[number() % 4] = 0; }

KERNEL(local_of_another) {
  __shared__ float* theirs;
  float mine = float(threadIdx.x);
  if (threadIdx.x == 0) theirs = &mine;
  __syncthreads();
  out[number()] = *theirs;
  __syncthreads();
}

KERNEL(different_barriers) {
  if (threadIdx.x % 2 == 0) {
    __syncthreads();
  } else {
    __syncthreads();
  }
  out[number()] = 0;
}

KERNEL(waits_for_ever) {
  if (threadIdx.x == 0) {
    while (atomicAdd(counter, 0) != 77) {
    }
  }
  out[number()] = 0;
}

KERNEL(shuffle_from_beyond_the_block) { out[number()] = __shfl_down_sync(~0ull, float(threadIdx.x), 1); }

KERNEL(barrier_for_half_of_a_warp) {
  if (threadIdx.x % warpSize < warpSize / 2u) {
    out[number()] = __shfl_sync(~0ull, 1.0f, 0);
  } else {
    __syncthreads();
  }
}

KERNEL(unmasked_from_inactive) {
  out[number()] = 0;
  if (threadIdx.x % 2 == 0) out[number()] = __shfl_xor(float(threadIdx.x), 1);
}

// -- wrong, where only a part of the rule is broken -----------------------------------------------------------------

// Thread 0's own atomic access comes after its plain one. Nothing orders the others' after it.
KERNEL(set_beside_atomics) {
  __shared__ int total;
  if (threadIdx.x == 0) total = 0;
  atomicAdd(&total, 1);
  __syncthreads();
  out[number()] = float(total);
}

KERNEL(read_beside_atomics) {
  if (number() == 0) out[0] = float(*counter);
  if (number() != 0) atomicAdd(counter, 1);
}

KERNEL(barriers_of_one_function) {
  __shared__ float values[256];
  values[threadIdx.x] = 1;
  if (threadIdx.x % 2 == 0) {
    values[threadIdx.x] += in[number()];
    one_barrier();
    values[threadIdx.x] += 1;
  } else {
    values[threadIdx.x] *= 3;
    one_barrier();
    values[threadIdx.x] *= 2;
  }
  out[number()] = values[threadIdx.x];
}

KERNEL(shuffle_in_both_branches) {
  float mine = float(threadIdx.x);
  if (threadIdx.x % 2 == 0) {
    mine += __shfl_xor_sync(~0ull, mine + in[number()], 1);
  } else {
    mine -= __shfl_xor_sync(~0ull, mine * 2, 1);
  }
  out[number()] = mine;
}

KERNEL(shuffle_of_no_width) { out[number()] = __shfl_xor_sync(~0ull, float(threadIdx.x), 1, 24); }

KERNEL(shuffle_wider_than_a_warp) { out[number()] = __shfl_xor_sync(~0ull, float(threadIdx.x), 1, 2 * warpSize); }

KERNEL(lanes_meet_in_global_memory) {
  out[number()] = 1;
  out[number()] += out[number() ^ 1];
}

// A barrier of the warp orders nothing with another warp.
KERNEL(warp_barrier_between_warps) {
  __shared__ float values[256];
  values[threadIdx.x] = float(number());
  __syncwarp();
  out[number()] = values[(threadIdx.x + 32) % 64];
}

KERNEL(read_then_overwritten) {
  __shared__ float values[256];
  values[threadIdx.x] = 1;
  __syncthreads();
  const float theirs = values[threadIdx.x ^ 1];
  values[threadIdx.x] = theirs + 1;
  out[number()] = theirs;
}

KERNEL(shared_of_the_block_before) {
  __shared__ float values[256];
  if (blockIdx.x == 0) values[threadIdx.x] = 1;
  __syncthreads();
  out[number()] = values[threadIdx.x];
}

KERNEL(local_index_beyond) {
  float squares[4];
  for (int i = 0; i < 4; ++i) squares[i] = float(i * i);
  out[number()] = squares[number() % 4 + 1];
}

KERNEL(last_byte_beyond) {
  out[number()] = *reinterpret_cast<const unsigned char*>(in + number() + 1);
}

KERNEL(moved_beyond) { __builtin_memmove(out + number(), in + number(), sizeof(float) * (unsigned(*counter) + 2)); }

KERNEL(vector_of_scalars) { out[number()] = reinterpret_cast<const float4*>(in)[number()].x; }

KERNEL(half_of_the_lanes_sync) {
  if (threadIdx.x % 2 == 0) __syncwarp(~0ull);
  __syncthreads();
  out[number()] = 0;
}

KERNEL(one_warp_at_the_barrier) {
  if (threadIdx.x < 32) __syncthreads();
  out[number()] = 0;
}

// Not reported: see the README.
KERNEL(local_unwritten) {
  float values[4];
  if (*counter != 0) values[number() % 4] = 1;
  out[number()] = values[number() % 4];
}
