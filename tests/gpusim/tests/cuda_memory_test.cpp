// Memory of the fake CUDA driver: what is asked of it out of order, and copies.
#include "cuda_fixture.h"

namespace gpusim::driver {
namespace {

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

}  // namespace
}  // namespace gpusim::driver
