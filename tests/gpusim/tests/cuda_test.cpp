// Streams, events, contexts and errors of the fake CUDA driver.
#include <thread>

#include "cuda_fixture.h"

namespace gpusim::driver {
namespace {

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

TEST_F(Cuda, ReportsWhatIsUsedAfterItWasDestroyed) {
  CUevent event = nullptr;
  CU_OK(cuEventCreate(&event, 0));
  CU_OK(cuEventDestroy(event));
  EXPECT_EQ(cuEventQuery(event), CUDA_ERROR_INVALID_HANDLE);
  EXPECT_EQ(driver().complaints(), std::vector<std::string>{"cuEventQuery was given a destroyed event"});
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

TEST_F(Cuda, HasWordsForItsErrors) {
  const char* text = nullptr;
  CU_OK(cuGetErrorString(CUDA_ERROR_OUT_OF_MEMORY, &text));
  EXPECT_STREQ(text, "out of memory");
  CU_OK(cuGetErrorName(CUDA_ERROR_ILLEGAL_ADDRESS, &text));
  EXPECT_STREQ(text, "CUDA_ERROR_ILLEGAL_ADDRESS");
  EXPECT_EQ(cuGetErrorString(static_cast<CUresult>(998), &text), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(text, nullptr);
}

TEST_F(Cuda, EndsTheProcessOnWhatItDoesNotModel) {
  EXPECT_DEATH(cuStreamSynchronize(nullptr), "cuStreamSynchronize: the fake driver does not model the default stream");
}

}  // namespace
}  // namespace gpusim::driver
