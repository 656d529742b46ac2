// reference.cu: what this GPU gives at best, to set beside tools/verify-on-gpu's numbers: products of matrices by
// cuBLAS in binary32, copies between host and device from pinned memory, and copies within the device.
//
//   reference
#include <cublas_v2.h>
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

namespace {

void check(bool good, const char* what) {
  if (good) return;
  std::fprintf(stderr, "reference: %s failed: %s\n", what, cudaGetErrorString(cudaGetLastError()));
  std::exit(1);
}

/// Milliseconds of one call of `work`, the mean of many after a first one.
template <class Work>
float milliseconds(const Work& work) {
  constexpr int calls = 20;
  cudaEvent_t begin, end;
  check(cudaEventCreate(&begin) == cudaSuccess && cudaEventCreate(&end) == cudaSuccess, "cudaEventCreate");
  work();
  cudaEventRecord(begin);
  for (int i = 0; i < calls; ++i) work();
  cudaEventRecord(end);
  check(cudaEventSynchronize(end) == cudaSuccess && cudaGetLastError() == cudaSuccess, "work");
  float total = 0;
  cudaEventElapsedTime(&total, begin, end);
  return total / calls;
}

void time_products(cublasHandle_t blas, int n) {
  const std::size_t bytes = std::size_t(n) * n * sizeof(float);
  float *a = nullptr, *c = nullptr;
  check(cudaMalloc(&a, bytes) == cudaSuccess && cudaMalloc(&c, bytes) == cudaSuccess, "cudaMalloc");
  cudaMemset(a, 0x3d, bytes);  // 0.046: zeros would be multiplied at higher clocks
  const float one = 1, zero = 0;
  const float ms = milliseconds([&] {
    check(cublasSgemm(blas, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, a, n, a, n, &zero, c, n) == CUBLAS_STATUS_SUCCESS,
          "cublasSgemm");
  });
  std::printf("cublasSgemm %d: %.3f ms, %.0f GFLOP/s\n", n, ms, 2.0 * n * n * n / (ms * 1e6));
  cudaFree(a);
  cudaFree(c);
}

void time_copies() {
  constexpr std::size_t bytes = std::size_t{256} << 20;
  void *host = nullptr, *device = nullptr, *other = nullptr;
  check(cudaMallocHost(&host, bytes) == cudaSuccess, "cudaMallocHost");
  check(cudaMalloc(&device, bytes) == cudaSuccess && cudaMalloc(&other, bytes) == cudaSuccess, "cudaMalloc");
  const float in = milliseconds([&] { cudaMemcpyAsync(device, host, bytes, cudaMemcpyHostToDevice); });
  const float out = milliseconds([&] { cudaMemcpyAsync(host, device, bytes, cudaMemcpyDeviceToHost); });
  const float within = milliseconds([&] { cudaMemcpyAsync(other, device, bytes, cudaMemcpyDeviceToDevice); });
  std::printf("copy of 256 MiB to the device: %.1f GB/s, from it: %.1f GB/s\n", bytes / (in * 1e6),
              bytes / (out * 1e6));
  std::printf("copy of 256 MiB within the device: %.0f GB/s, read and written\n", 2.0 * bytes / (within * 1e6));
}

}  // namespace

int main() {
  cublasHandle_t blas;
  check(cublasCreate(&blas) == CUBLAS_STATUS_SUCCESS, "cublasCreate");
  for (const int n : {512, 2048, 4096}) time_products(blas, n);
  time_copies();
}
