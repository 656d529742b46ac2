// Modules and launches of the fake CUDA driver.
#include <fstream>

#include "cuda_fixture.h"

namespace gpusim::driver {
namespace {

/// A file that nvcc made: code for sm_90 alone.
std::string image_of_sm_90() {
  std::ifstream stream(GPUSIM_FATBIN, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

TEST_F(Cuda, RunsAKernelFromAModule) {
  for (const Lateness lateness : {Lateness::at_once, Lateness::late, Lateness::random}) {
    begin(lateness);
    const CUdeviceptr x = array(std::vector<float>(100, 2)), out = array({0});
    CU_OK(launch_sum(stream_, x, out, 100));
    EXPECT_EQ(values(out, 1), std::vector<float>{200});
    EXPECT_TRUE(driver().complaints().empty()) << driver().complaints()[0];
  }
}

TEST_F(Cuda, ReportsALaunchWhoseModuleIsUnloadedBeforeItsTurn) {
  CUmodule module = nullptr;
  CUfunction sum = nullptr;
  CU_OK(cuModuleLoadData(&module, ".version 8.0"));
  CU_OK(cuModuleGetFunction(&sum, module, "sum_shuffles"));
  CUdeviceptr x = array(std::vector<float>(100, 2)), out = array({0});
  int n = 100;
  void* parameters[] = {&x, &out, &n};
  CU_OK(cuLaunchKernel(sum, 2, 1, 1, 64, 1, 1, 0, stream_, parameters, nullptr));
  CU_OK(cuModuleUnload(module));
  EXPECT_EQ(cuStreamSynchronize(stream_), CUDA_ERROR_ILLEGAL_ADDRESS);
  EXPECT_EQ(driver().complaints(),
            std::vector<std::string>{"a launch came to its turn when the module of sum_shuffles was unloaded"});
}

TEST_F(Cuda, BlamesNobodyForAnUnloadedModuleWhoseWaitFailedAsPlanned) {
  CUmodule module = nullptr;
  CUfunction one = nullptr;
  CU_OK(cuModuleLoadData(&module, ".version 8.0"));
  CU_OK(cuModuleGetFunction(&one, module, "bounded"));
  CUdeviceptr out = array(std::vector<float>(64, 0));
  void* parameters[] = {&out};
  CU_OK(cuLaunchKernel(one, 1, 1, 1, 64, 1, 1, 0, stream_, parameters, nullptr));
  driver().failures().plan("cuStreamSynchronize", 1, CUDA_ERROR_UNKNOWN);
  EXPECT_EQ(cuStreamSynchronize(stream_), CUDA_ERROR_UNKNOWN);
  CU_OK(cuModuleUnload(module));
  EXPECT_EQ(cuStreamSynchronize(stream_), CUDA_ERROR_ILLEGAL_ADDRESS);
  EXPECT_EQ(driver().complaints(), std::vector<std::string>());
}

TEST_F(Cuda, RefusesMoreThreadsThanTheLaunchBounds) {
  CUdeviceptr out = array(std::vector<float>(128, 0));
  void* parameters[] = {&out};
  for (const char* name : {"bounded", "bounded_for_two"}) {
    const CUfunction bounded = function(name);
    EXPECT_EQ(cuLaunchKernel(bounded, 1, 1, 1, 64, 1, 1, 0, stream_, parameters, nullptr), CUDA_SUCCESS) << name;
    EXPECT_EQ(cuLaunchKernel(bounded, 1, 1, 1, 65, 1, 1, 0, stream_, parameters, nullptr),
              CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES)
        << name;
  }
}

TEST_F(Cuda, RefusesAGridThatNoDeviceTakes) {
  CUdeviceptr x = array({1});
  int n = 1;
  void* parameters[] = {&x, &x, &n};
  const CUfunction sum = function("sum_shuffles");
  EXPECT_EQ(cuLaunchKernel(sum, 1, 1, 1, 1025, 1, 1, 0, stream_, parameters, nullptr), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuLaunchKernel(sum, 0, 1, 1, 32, 1, 1, 0, stream_, parameters, nullptr), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuLaunchKernel(sum, 1, 65536, 1, 32, 1, 1, 0, stream_, parameters, nullptr), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(Cuda, TakesOnlyImagesThatHaveCodeForTheDevice) {
  const std::string image = image_of_sm_90();
  if (image.empty()) GTEST_SKIP() << "no nvcc";
  CUmodule module = nullptr;
  CU_OK(cuModuleLoadData(&module, image.data()));
  CUfunction function = nullptr;
  EXPECT_EQ(cuModuleGetFunction(&function, module, "no_such_kernel"), CUDA_ERROR_NOT_FOUND);
  for (const char* other : {"sm_80", "sm_100"}) {
    Settings settings;
    settings.architecture = other;
    begin(settings);
    EXPECT_EQ(cuModuleLoadData(&module, image.data()), CUDA_ERROR_NO_BINARY_FOR_GPU) << other;
  }
  EXPECT_EQ(cuModuleLoadData(&module, "what is this?"), CUDA_ERROR_INVALID_IMAGE);
}

TEST_F(Cuda, TakesAKernelFromTheFirstLibraryThatHasIt) {
  Settings settings;
  settings.kernels = GPUSIM_MUTANTS_PLAIN ":" GPUSIM_MUTANTS;
  settings.lateness = Lateness::at_once;
  const auto complaints = [&] {
    driver().configure(settings);
    cuInit(0);
    cuDevicePrimaryCtxRetain(&context_, 0);
    cuCtxSetCurrent(context_);
    cuStreamCreate(&stream_, CU_STREAM_NON_BLOCKING);
    const CUdeviceptr x = array(std::vector<float>(100, 2)), out = array({0});
    EXPECT_EQ(launch_sum(stream_, x, out, 100, "sum_not_atomic"), CUDA_SUCCESS);
    return driver().complaints().size();
  };
  EXPECT_EQ(complaints(), 0u) << "the plain one was asked first";
  settings.kernels = GPUSIM_MUTANTS ":" GPUSIM_MUTANTS_PLAIN;
  EXPECT_GT(complaints(), 0u);
}

TEST_F(Cuda, FindsItsFunctionsByName) {
  void* found = nullptr;
  CUdriverProcAddressQueryResult result;
  CU_OK(cuGetProcAddress("cuMemAlloc", &found, 13000, 0, &result));
  EXPECT_EQ(found, reinterpret_cast<void*>(&cuMemAlloc));
  EXPECT_EQ(cuGetProcAddress("cuNothing", &found, 13000, 0, &result), CUDA_ERROR_NOT_FOUND);
  EXPECT_EQ(result, CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND);
}

}  // namespace
}  // namespace gpusim::driver
