// cuda_fixture.h: the fake CUDA driver with one stream of one device, called through the vendor's header as a plugin
// calls it.
#pragma once
#include <cuda.h>

#include <list>

#include "driver/driver.h"
#include "run.h"

namespace gpusim::driver {

#define CU_OK(call) ASSERT_EQ(call, CUDA_SUCCESS)

class Cuda : public testing::Test {
 protected:
  void SetUp() override { begin(Lateness::late); }
  void TearDown() override { driver().configure({}); }

  static Driver& driver() { return Driver::of(Vendor::cuda); }

  void begin(Settings settings) {
    settings.kernels = GPUSIM_MUTANTS;
    settings.memory_bytes = std::size_t{64} << 20;
    driver().configure(settings);
    CU_OK(cuInit(0));
    CU_OK(cuDevicePrimaryCtxRetain(&context_, 0));
    CU_OK(cuCtxSetCurrent(context_));
    CU_OK(cuStreamCreate(&stream_, CU_STREAM_NON_BLOCKING));
  }
  void begin(Lateness lateness, std::uint64_t seed = 1) {
    Settings settings;
    settings.lateness = lateness;
    settings.seed = seed;
    begin(settings);
  }

  CUdeviceptr array(const std::vector<float>& values) {
    CUdeviceptr address = 0;
    EXPECT_EQ(cuMemAlloc(&address, values.size() * sizeof(float)), CUDA_SUCCESS);
    EXPECT_EQ(cuMemcpyHtoDAsync(address, keep(values), values.size() * sizeof(float), stream_), CUDA_SUCCESS);
    return address;
  }
  std::vector<float> values(CUdeviceptr address, std::size_t count) {
    std::vector<float> values(count);
    EXPECT_EQ(cuMemcpyDtoHAsync(values.data(), address, count * sizeof(float), stream_), CUDA_SUCCESS);
    EXPECT_EQ(cuStreamSynchronize(stream_), CUDA_SUCCESS);
    return values;
  }
  /// What a copy that is late reads.
  const float* keep(const std::vector<float>& values) { return kept_.emplace_back(values).data(); }
  CUfunction function(const char* name) {
    CUmodule module = nullptr;
    CUfunction function = nullptr;
    EXPECT_EQ(cuModuleLoadData(&module, ".version 8.0"), CUDA_SUCCESS);
    EXPECT_EQ(cuModuleGetFunction(&function, module, name), CUDA_SUCCESS);
    return function;
  }
  CUresult launch_sum(CUstream stream, CUdeviceptr x, CUdeviceptr out, int n, const char* kernel = "sum_shuffles") {
    void* parameters[] = {&x, &out, &n};
    return cuLaunchKernel(function(kernel), 2, 1, 1, 64, 1, 1, 0, stream, parameters, nullptr);
  }

  CUcontext context_ = nullptr;
  CUstream stream_ = nullptr;
  std::list<std::vector<float>> kept_;
};

}  // namespace gpusim::driver
