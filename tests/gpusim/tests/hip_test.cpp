// The fake HIP, called through the vendor's header. What it shares with the fake CUDA driver is tested there.
#include <hip/hip_runtime_api.h>

#include <cstring>

#include "driver/driver.h"
#include "run.h"

namespace gpusim::driver {
namespace {

#define HIP_OK(call) ASSERT_EQ(call, hipSuccess)

/// An offload bundle with one entry for each target, as clang-offload-bundler writes it.
std::string bundle(const std::vector<std::string>& targets) {
  std::string text = "__CLANG_OFFLOAD_BUNDLE__";
  const auto add = [&](std::uint64_t number) { text.append(reinterpret_cast<const char*>(&number), sizeof number); };
  add(targets.size());
  for (const std::string& target : targets) {
    const std::string id = "hipv4-amdgcn-amd-amdhsa--" + target;
    add(4096);
    add(0);
    add(id.size());
    text += id;
  }
  return text;
}

class Hip : public testing::Test {
 protected:
  void SetUp() override {
    Settings settings;
    settings.kernels = GPUSIM_MUTANTS;
    settings.warp_width = 64;
    driver().configure(settings);
    HIP_OK(hipInit(0));
    HIP_OK(hipDevicePrimaryCtxRetain(&context_, 0));
    HIP_OK(hipCtxSetCurrent(context_));
    HIP_OK(hipStreamCreateWithFlags(&stream_, hipStreamNonBlocking));
  }
  void TearDown() override { driver().configure({}); }
  static Driver& driver() { return Driver::of(Vendor::hip); }

  hipCtx_t context_ = nullptr;
  hipStream_t stream_ = nullptr;
};

TEST_F(Hip, RunsAKernelInWarpsOf64) {
  hipModule_t module = nullptr;
  hipFunction_t function = nullptr;
  const std::string image = bundle({"gfx1030", "gfx90a"});
  HIP_OK(hipModuleLoadData(&module, image.data()));
  HIP_OK(hipModuleGetFunction(&function, module, "ballot_of_warp"));
  void *out = nullptr, *nothing = nullptr;
  HIP_OK(hipMalloc(&out, 64 * sizeof(float)));
  void* parameters[] = {&out, &nothing, &nothing};
  HIP_OK(hipModuleLaunchKernel(function, 1, 1, 1, 64, 1, 1, 0, stream_, parameters, nullptr));
  std::vector<float> values(64);
  HIP_OK(hipMemcpyDtoHAsync(values.data(), out, 64 * sizeof(float), stream_));
  HIP_OK(hipStreamSynchronize(stream_));
  EXPECT_EQ(values, std::vector<float>(64, 64.0f));
  EXPECT_TRUE(driver().complaints().empty()) << driver().complaints()[0];
}

TEST_F(Hip, TakesOnlyBundlesThatHaveCodeForTheDevice) {
  hipModule_t module = nullptr;
  EXPECT_EQ(hipModuleLoadData(&module, bundle({"gfx90a:xnack-"}).data()), hipSuccess);
  EXPECT_EQ(hipModuleLoadData(&module, bundle({"gfx1030"}).data()), hipErrorNoBinaryForGpu);
  EXPECT_EQ(hipModuleLoadData(&module, "what is this, if not a code object?"), hipErrorInvalidImage);
}

TEST_F(Hip, RefusesAsManyThreadsAsDoNotFitIn32Bits) {
  hipModule_t module = nullptr;
  hipFunction_t function = nullptr;
  const std::string image = bundle({"gfx90a"});
  HIP_OK(hipModuleLoadData(&module, image.data()));
  HIP_OK(hipModuleGetFunction(&function, module, "ballot_of_warp"));
  void* nothing = nullptr;
  void* parameters[] = {&nothing, &nothing, &nothing};
  EXPECT_EQ(hipModuleLaunchKernel(function, 1 << 24, 1, 1, 256, 1, 1, 0, stream_, parameters, nullptr),
            hipErrorInvalidValue);
  EXPECT_EQ(hipModuleLaunchKernel(function, (1 << 24) - 1, 1, 1, 256, 1, 1, 0, stream_, parameters, nullptr),
            hipSuccess);
  driver().configure({});  // nobody waits for that many
}

TEST_F(Hip, TellsItsArchitectureAmongTheProperties) {
  hipDeviceProp_t properties{};
  HIP_OK(hipGetDeviceProperties(&properties, 0));
  EXPECT_STREQ(properties.gcnArchName, "gfx90a:sramecc+:xnack-");
}

TEST_F(Hip, HasWordsForItsErrors) { EXPECT_STREQ(hipGetErrorString(hipErrorOutOfMemory), "out of memory"); }

TEST_F(Hip, FailsTheCallThatATestNames) {
  driver().failures().plan("hipMalloc", 1, hipErrorOutOfMemory);
  void* address = nullptr;
  EXPECT_EQ(hipMalloc(&address, 16), hipErrorOutOfMemory);
  EXPECT_EQ(hipMalloc(&address, 16), hipSuccess);
}

}  // namespace
}  // namespace gpusim::driver
