// The fake CUDA driver, called through the vendor's header as a plugin calls it.
#include <cuda.h>

#include <array>
#include <fstream>
#include <list>
#include <thread>

#include "driver/driver.h"
#include "run.h"

namespace gpusim::driver {
namespace {

#define CU_OK(call) ASSERT_EQ(call, CUDA_SUCCESS)

/// A file that nvcc made: code for sm_90 alone.
std::string image_of_sm_90() {
  std::ifstream stream(GPUSIM_FATBIN, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

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

TEST_F(Cuda, RunsAKernelFromAModule) {
  for (const Lateness lateness : {Lateness::at_once, Lateness::late, Lateness::random}) {
    begin(lateness);
    const CUdeviceptr x = array(std::vector<float>(100, 2)), out = array({0});
    CU_OK(launch_sum(stream_, x, out, 100));
    EXPECT_EQ(values(out, 1), std::vector<float>{200});
    EXPECT_TRUE(driver().complaints().empty()) << driver().complaints()[0];
  }
}

TEST_F(Cuda, WantsToBeInitialisedAndACurrentContext) {
  driver().configure({});
  int count = 0;
  EXPECT_EQ(cuDeviceGetCount(&count), CUDA_ERROR_NOT_INITIALIZED);
  CU_OK(cuInit(0));
  CUdeviceptr address = 0;
  EXPECT_EQ(cuMemAlloc(&address, 16), CUDA_ERROR_INVALID_CONTEXT);
}

TEST_F(Cuda, HasNoDeviceWhenThereIsNone) {
  Settings none;
  none.devices = 0;
  driver().configure(none);
  EXPECT_EQ(cuInit(0), CUDA_ERROR_NO_DEVICE);
}

TEST_F(Cuda, DoesNothingBeforeSomebodyWaitsWhenItIsLate) {
  const CUdeviceptr x = array(std::vector<float>(100, 2)), out = array({0});
  CU_OK(launch_sum(stream_, x, out, 100));
  EXPECT_EQ(driver().launches(), 0u);
  EXPECT_EQ(cuStreamQuery(stream_), CUDA_ERROR_NOT_READY);
  CU_OK(cuStreamSynchronize(stream_));
  EXPECT_EQ(driver().launches(), 1u);
  EXPECT_EQ(cuStreamQuery(stream_), CUDA_SUCCESS);
}

TEST_F(Cuda, IsDoneAfterEnoughQueries) {
  CUevent event = nullptr;
  CU_OK(cuEventCreate(&event, 0));
  array(std::vector<float>(16, 1));
  CU_OK(cuEventRecord(event, stream_));
  int queries = 0;
  while (cuEventQuery(event) == CUDA_ERROR_NOT_READY && queries < 100) ++queries;
  EXPECT_LT(queries, 100);
}

TEST_F(Cuda, KeepsStreamsApartUntilAnEventOrdersThem) {
  CUstream other = nullptr;
  CUevent event = nullptr;
  CU_OK(cuStreamCreate(&other, CU_STREAM_NON_BLOCKING));
  CU_OK(cuEventCreate(&event, CU_EVENT_DISABLE_TIMING));
  const CUdeviceptr x = array(std::vector<float>(100, 2)), out = array({0});
  CU_OK(launch_sum(other, x, out, 100));
  CU_OK(cuStreamSynchronize(other));
  const auto complaints = driver().complaints();
  ASSERT_FALSE(complaints.empty());
  EXPECT_NE(complaints[0].find("uninitialised read"), std::string::npos) << complaints[0];

  begin(Lateness::late);
  CU_OK(cuStreamCreate(&other, CU_STREAM_NON_BLOCKING));
  CU_OK(cuEventCreate(&event, CU_EVENT_DISABLE_TIMING));
  const CUdeviceptr y = array(std::vector<float>(100, 2)), sum = array({0});
  CU_OK(cuEventRecord(event, stream_));
  CU_OK(cuStreamWaitEvent(other, event, 0));
  CU_OK(launch_sum(other, y, sum, 100));
  CU_OK(cuStreamSynchronize(other));
  EXPECT_EQ(values(sum, 1), std::vector<float>{200});
  EXPECT_TRUE(driver().complaints().empty()) << driver().complaints()[0];
}

TEST_F(Cuda, ReadsPinnedMemoryWhenTheCopyIsDone) {
  float* pinned = nullptr;
  CU_OK(cuMemHostAlloc(reinterpret_cast<void**>(&pinned), sizeof(float), 0));
  *pinned = 1;
  CUdeviceptr address = 0;
  CU_OK(cuMemAlloc(&address, sizeof(float)));
  CU_OK(cuMemcpyHtoDAsync(address, pinned, sizeof(float), stream_));
  *pinned = 2;  // too early
  EXPECT_EQ(values(address, 1), std::vector<float>{2});
}

TEST_F(Cuda, ReadsAndWritesPageableMemoryWhenTheCopyIsDone) {
  std::vector<float> from{1}, to{0};
  CUdeviceptr address = 0;
  CU_OK(cuMemAlloc(&address, sizeof(float)));
  CU_OK(cuMemcpyHtoDAsync(address, from.data(), sizeof(float), stream_));
  CU_OK(cuMemcpyDtoHAsync(to.data(), address, sizeof(float), stream_));
  from[0] = 2;  // too early
  EXPECT_EQ(to[0], 0) << "before anybody waits";
  CU_OK(cuStreamSynchronize(stream_));
  EXPECT_EQ(to[0], 2);
}

TEST_F(Cuda, CallsCallbacksInTheirStreamsOrder) {
  int called = 0;
  const auto callback = [](CUstream, CUresult status, void* data) {
    *static_cast<int*>(data) += status == CUDA_SUCCESS;
  };
  CU_OK(cuStreamAddCallback(stream_, callback, &called, 0));
  EXPECT_EQ(called, 0);
  CU_OK(cuStreamSynchronize(stream_));
  EXPECT_EQ(called, 1);
}

TEST_F(Cuda, PermitsNoCallInACallback) {
  static CUresult got;
  const auto callback = [](CUstream stream, CUresult, void*) { got = cuStreamQuery(stream); };
  CU_OK(cuStreamAddCallback(stream_, callback, nullptr, 0));
  CU_OK(cuStreamSynchronize(stream_));
  EXPECT_EQ(got, CUDA_ERROR_NOT_PERMITTED);
  EXPECT_EQ(driver().complaints(), std::vector<std::string>{"cuStreamQuery was called in a callback"});
}

TEST_F(Cuda, GivesTheSameErrorForEverAfterAFault) {
  const CUdeviceptr out = array({0});
  CU_OK(launch_sum(stream_, 4096, out, 100));
  EXPECT_EQ(cuStreamSynchronize(stream_), CUDA_ERROR_ILLEGAL_ADDRESS);
  CUdeviceptr address = 0;
  EXPECT_EQ(cuMemAlloc(&address, 16), CUDA_ERROR_ILLEGAL_ADDRESS);
  EXPECT_EQ(cuEventCreate(nullptr, 0), CUDA_ERROR_ILLEGAL_ADDRESS);
}

TEST_F(Cuda, FailsTheCallThatATestNames) {
  driver().failures().plan("cuMemAlloc", 2, CUDA_ERROR_OUT_OF_MEMORY);
  CUdeviceptr address = 0;
  EXPECT_EQ(cuMemAlloc(&address, 16), CUDA_SUCCESS);
  EXPECT_EQ(cuMemAlloc(&address, 16), CUDA_ERROR_OUT_OF_MEMORY);
  EXPECT_EQ(cuMemAlloc(&address, 16), CUDA_SUCCESS);
  driver().failures().plan("*", 3, CUDA_ERROR_LAUNCH_FAILED);
  EXPECT_EQ(cuStreamSynchronize(stream_), CUDA_SUCCESS);
  EXPECT_EQ(cuStreamQuery(stream_), CUDA_SUCCESS);
  EXPECT_EQ(cuStreamSynchronize(stream_), CUDA_ERROR_LAUNCH_FAILED);
  EXPECT_EQ(cuStreamSynchronize(stream_), CUDA_ERROR_LAUNCH_FAILED) << "an error of that kind stays";
}

TEST_F(Cuda, RefusesMoreMemoryThanThereIs) {
  CUdeviceptr address = 0;
  EXPECT_EQ(cuMemAlloc(&address, std::size_t{65} << 20), CUDA_ERROR_OUT_OF_MEMORY);
  std::size_t free_bytes = 0, all_bytes = 0;
  CU_OK(cuMemAlloc(&address, std::size_t{60} << 20));
  CU_OK(cuMemGetInfo(&free_bytes, &all_bytes));
  EXPECT_EQ(free_bytes, std::size_t{4} << 20);
  EXPECT_EQ(cuMemAlloc(&address, std::size_t{5} << 20), CUDA_ERROR_OUT_OF_MEMORY);
}

TEST_F(Cuda, KeepsFreedMemoryInThePoolUntilItIsTrimmed) {
  CUmemoryPool pool = nullptr;
  cuuint64_t all = UINT64_MAX;
  CU_OK(cuDeviceGetDefaultMemPool(&pool, 0));
  CU_OK(cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &all));
  CUdeviceptr address = 0;
  CU_OK(cuMemAllocAsync(&address, std::size_t{60} << 20, stream_));
  CU_OK(cuMemFreeAsync(address, stream_));
  CU_OK(cuStreamSynchronize(stream_));
  EXPECT_EQ(cuMemAlloc(&address, std::size_t{60} << 20), CUDA_ERROR_OUT_OF_MEMORY);
  CU_OK(cuMemPoolTrimTo(pool, 0));
  EXPECT_EQ(cuMemAlloc(&address, std::size_t{60} << 20), CUDA_SUCCESS);
}

TEST_F(Cuda, DoesNotTrimWhatTheHostHasNotSeenFreed) {
  CUmemoryPool pool = nullptr;
  cuuint64_t all = UINT64_MAX;
  CUevent event = nullptr;
  CUstream other = nullptr;
  CU_OK(cuEventCreate(&event, CU_EVENT_DISABLE_TIMING));
  CU_OK(cuStreamCreate(&other, CU_STREAM_NON_BLOCKING));
  CU_OK(cuDeviceGetDefaultMemPool(&pool, 0));
  CU_OK(cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &all));
  CUdeviceptr address = 0;
  const std::size_t bytes = std::size_t{60} << 20;
  CU_OK(cuMemAllocAsync(&address, bytes, stream_));
  CU_OK(cuMemFreeAsync(address, stream_));
  CU_OK(cuEventRecord(event, stream_));
  CU_OK(cuStreamWaitEvent(other, event, 0));
  CU_OK(cuStreamSynchronize(other));  // so it is done, but of the first stream nobody asked
  CU_OK(cuMemPoolTrimTo(pool, 0));
  EXPECT_EQ(cuMemAlloc(&address, bytes), CUDA_ERROR_OUT_OF_MEMORY);
  CU_OK(cuEventSynchronize(event));
  CU_OK(cuMemPoolTrimTo(pool, 0));
  EXPECT_EQ(cuMemAlloc(&address, bytes), CUDA_SUCCESS);
}

TEST_F(Cuda, ReportsWorkThatIsAskedForAfterTheFreeAndDoneBeforeIt) {
  CUstream other = nullptr;
  CU_OK(cuStreamCreate(&other, CU_STREAM_NON_BLOCKING));
  const CUdeviceptr x = array(std::vector<float>(100, 2)), out = array({0});
  CU_OK(launch_sum(stream_, x, out, 100));
  CU_OK(cuMemFreeAsync(x, other));  // nothing lets it come to that before the first sum
  CU_OK(launch_sum(stream_, x, out, 100));
  EXPECT_EQ(cuStreamSynchronize(stream_), CUDA_ERROR_ILLEGAL_ADDRESS);
  EXPECT_EQ(driver().launches(), 2u);
  EXPECT_NE(driver().complaints().at(0).find("use after free"), std::string::npos) << driver().complaints()[0];
  EXPECT_NE(driver().complaints().at(0).find("before the launch was"), std::string::npos);
}

TEST_F(Cuda, RefusesACopyThatIsAskedForAfterTheFree) {
  CUstream other = nullptr;
  CU_OK(cuStreamCreate(&other, CU_STREAM_NON_BLOCKING));
  const CUdeviceptr x = array({2}), out = array({0});
  CU_OK(cuMemFreeAsync(x, other));
  EXPECT_EQ(cuMemcpyDtoDAsync(out, x, sizeof(float), stream_), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuMemsetD8Async(x, 0, 1, stream_), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuMemFreeAsync(x, other), CUDA_ERROR_INVALID_VALUE) << "twice";
}

TEST_F(Cuda, RefusesToFreeWithinAnAllocation) {
  const CUdeviceptr x = array({1, 2});
  EXPECT_EQ(cuMemFreeAsync(x + sizeof(float), stream_), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuMemFree(x + sizeof(float)), CUDA_ERROR_INVALID_VALUE);
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

TEST_F(Cuda, KnowsNoContextInAThreadThatMadeNoneCurrent) {
  CUresult got = CUDA_SUCCESS;
  std::thread([&] { got = cuStreamSynchronize(stream_); }).join();
  EXPECT_EQ(got, CUDA_ERROR_INVALID_CONTEXT);
}

TEST_F(Cuda, TellsTimeOfCompleteTimedEventsAlone) {
  CUevent from = nullptr, to = nullptr, untimed = nullptr;
  CU_OK(cuEventCreate(&from, 0));
  CU_OK(cuEventCreate(&to, 0));
  CU_OK(cuEventCreate(&untimed, CU_EVENT_DISABLE_TIMING));
  float ms = -1;
  EXPECT_EQ(cuEventElapsedTime(&ms, from, to), CUDA_ERROR_INVALID_HANDLE) << "never recorded";
  for (CUevent event : {from, to, untimed}) CU_OK(cuEventRecord(event, stream_));
  EXPECT_EQ(cuEventElapsedTime(&ms, from, to), CUDA_ERROR_NOT_READY);
  CU_OK(cuStreamSynchronize(stream_));
  EXPECT_EQ(cuEventElapsedTime(&ms, from, untimed), CUDA_ERROR_INVALID_HANDLE);
  CU_OK(cuEventElapsedTime(&ms, from, to));
  EXPECT_GT(ms, 0);
}

// A recording that comes after the wait was asked for is another one.
TEST_F(Cuda, WaitsForTheRecordingThatThereWas) {
  CUstream other = nullptr;
  CUevent event = nullptr;
  CU_OK(cuStreamCreate(&other, CU_STREAM_NON_BLOCKING));
  CU_OK(cuEventCreate(&event, CU_EVENT_DISABLE_TIMING));
  CU_OK(cuStreamWaitEvent(other, event, 0));  // never recorded: nothing to wait for
  const CUdeviceptr x = array(std::vector<float>(100, 2)), out = array({0});
  CU_OK(cuEventRecord(event, stream_));
  CU_OK(launch_sum(other, x, out, 100));
  CU_OK(cuStreamSynchronize(other));
  const auto complaints = driver().complaints();
  ASSERT_FALSE(complaints.empty());
  EXPECT_NE(complaints[0].find("uninitialised read"), std::string::npos) << complaints[0];
}

TEST_F(Cuda, ReportsMemoryThatAnotherStreamUsesBeforeItIsAllocated) {
  CUstream other = nullptr;
  CU_OK(cuStreamCreate(&other, CU_STREAM_NON_BLOCKING));
  CUdeviceptr address = 0;
  CU_OK(cuMemAllocAsync(&address, 400, other));
  const CUdeviceptr out = array({0});
  CU_OK(launch_sum(stream_, address, out, 100));
  EXPECT_EQ(cuStreamSynchronize(stream_), CUDA_ERROR_ILLEGAL_ADDRESS);
  EXPECT_NE(driver().complaints().at(0).find("use before allocation"), std::string::npos);
}

TEST_F(Cuda, ReportsMemoryThatIsFreedWhileWorkIsQueued) {
  const CUdeviceptr x = array(std::vector<float>(100, 2)), out = array({0});
  CU_OK(launch_sum(stream_, x, out, 100));
  CU_OK(cuMemFree(x));
  EXPECT_EQ(cuStreamSynchronize(stream_), CUDA_ERROR_ILLEGAL_ADDRESS);
}

TEST_F(Cuda, ReportsWhatIsUsedAfterItWasDestroyed) {
  CUevent event = nullptr;
  CU_OK(cuEventCreate(&event, 0));
  CU_OK(cuEventDestroy(event));
  EXPECT_EQ(cuEventQuery(event), CUDA_ERROR_INVALID_HANDLE);
  EXPECT_EQ(driver().complaints(), std::vector<std::string>{"cuEventQuery was given a destroyed event"});
}

TEST_F(Cuda, ListsWhatIsNotGivenBack) {
  array({1});
  CUevent event = nullptr;
  CU_OK(cuEventCreate(&event, 0));
  EXPECT_EQ(driver().leaks(), std::vector<std::string>{"device 0: 1 allocations 1 streams 1 events"});
  CU_OK(cuDevicePrimaryCtxRelease(0));
  EXPECT_EQ(driver().complaints(),
            std::vector<std::string>{
                "cuDevicePrimaryCtxRelease destroyed a context that still had 1 allocations 1 streams 1 events"});
}

TEST_F(Cuda, TakesNothingBackInAContextThatIsLost) {
  array({1});
  void* pinned = nullptr;
  CU_OK(cuMemHostAlloc(&pinned, 16, 0));
  driver().failures().plan("cuStreamQuery", 1, CUDA_ERROR_ILLEGAL_ADDRESS);
  EXPECT_EQ(cuStreamQuery(stream_), CUDA_ERROR_ILLEGAL_ADDRESS);
  EXPECT_EQ(cuStreamDestroy(stream_), CUDA_ERROR_ILLEGAL_ADDRESS);
  EXPECT_EQ(cuMemFreeHost(pinned), CUDA_ERROR_ILLEGAL_ADDRESS);
  CU_OK(cuDevicePrimaryCtxRelease(0));
  EXPECT_EQ(driver().complaints(), std::vector<std::string>());
  EXPECT_EQ(driver().leaks(), std::vector<std::string>());
}

TEST_F(Cuda, RefusesHandlesOfAnotherDevice) {
  Settings two;
  two.devices = 2;
  begin(two);
  CUcontext other = nullptr;
  CU_OK(cuDevicePrimaryCtxRetain(&other, 1));
  const CUdeviceptr x = array({1});
  CU_OK(cuCtxSetCurrent(other));
  EXPECT_EQ(cuStreamSynchronize(stream_), CUDA_ERROR_INVALID_HANDLE);
  EXPECT_EQ(cuMemFree(x), CUDA_ERROR_INVALID_VALUE);
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

TEST_F(Cuda, HasWordsForItsErrors) {
  const char* text = nullptr;
  CU_OK(cuGetErrorString(CUDA_ERROR_OUT_OF_MEMORY, &text));
  EXPECT_STREQ(text, "out of memory");
  CU_OK(cuGetErrorName(CUDA_ERROR_ILLEGAL_ADDRESS, &text));
  EXPECT_STREQ(text, "CUDA_ERROR_ILLEGAL_ADDRESS");
  EXPECT_EQ(cuGetErrorString(static_cast<CUresult>(998), &text), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(text, nullptr);
}

TEST_F(Cuda, FindsItsFunctionsByName) {
  void* found = nullptr;
  CUdriverProcAddressQueryResult result;
  CU_OK(cuGetProcAddress("cuMemAlloc", &found, 13000, 0, &result));
  EXPECT_EQ(found, reinterpret_cast<void*>(&cuMemAlloc));
  EXPECT_EQ(cuGetProcAddress("cuNothing", &found, 13000, 0, &result), CUDA_ERROR_NOT_FOUND);
  EXPECT_EQ(result, CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND);
}

TEST_F(Cuda, EndsTheProcessOnWhatItDoesNotModel) {
  EXPECT_DEATH(cuStreamSynchronize(nullptr), "cuStreamSynchronize: the fake driver does not model the default stream");
}

}  // namespace
}  // namespace gpusim::driver
