// The table of driver functions and the numbers of plugins/rocm against AMD's own header.
#define __HIP_PLATFORM_AMD__ 1
#define __HIP_DISABLE_CPP_FUNCTIONS__ 1
#include <gtest/gtest.h>
#include <hip/hip_runtime_api.h>

#include "host/vendor.h"
#include "kernels/shapes.h"
#include "properties.h"
#include "signatures.h"

namespace tenon::gpu {
namespace {

// The header overloads this name for its users' comfort; ours is the one that the library exports.
constexpr decltype(static_cast<hipError_t (*)(void**, std::size_t, hipStream_t)>(
    hipMallocAsync)) exported_malloc_async = nullptr;
#define hipMallocAsync *exported_malloc_async

#define TENON_SAME_CALL(member, cuda, hip, parameters) \
  static_assert(SameCall<decltype(Driver::member), decltype(&hip)>::value, #hip);
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
TENON_DRIVER_FUNCTIONS(TENON_SAME_CALL)

static_assert(properties_capacity >= 2 * sizeof(hipDeviceProp_t));
static_assert(architecture_offset == offsetof(hipDeviceProp_t, gcnArchName));
static_assert(architecture_bytes == sizeof(hipDeviceProp_t::gcnArchName));

TEST(HipHeader, HasTheNumbersOfTheTable) {
  EXPECT_EQ(success, hipSuccess);
  EXPECT_EQ(out_of_memory, hipErrorOutOfMemory);
  EXPECT_EQ(no_device, hipErrorNoDevice);
  EXPECT_EQ(no_binary_for_gpu, hipErrorNoBinaryForGpu);
  EXPECT_EQ(not_found, hipErrorNotFound);
  EXPECT_EQ(not_ready, hipErrorNotReady);
  EXPECT_EQ(vendor.multiprocessors, hipDeviceAttributeMultiprocessorCount);
  EXPECT_EQ(vendor.integrated, hipDeviceAttributeIntegrated);
  EXPECT_EQ(vendor.pools, hipDeviceAttributeMemoryPoolsSupported);
}

TEST(HipHeader, LaunchesFewerThreadsThanHipCounts) {
  EXPECT_LT(vendor.max_blocks * block_threads, std::uint64_t{1} << 32);
  EXPECT_GT((vendor.max_blocks + 1) * block_threads, UINT32_MAX);
}

TEST(HipTargets, ServeTheirOwnArchitectureAlone) {
  EXPECT_TRUE(vendor.has_code("gfx90a", "gfx90a gfx1030"));
  EXPECT_TRUE(vendor.has_code("gfx1030", "gfx90a gfx1030"));
  EXPECT_FALSE(vendor.has_code("gfx1100", "gfx90a gfx1030"));
  EXPECT_FALSE(vendor.has_code("gfx90", "gfx90a gfx1030"));
}

TEST(HipVersions, ReadAsPeopleWriteThem) { EXPECT_EQ(vendor.version_text(HIP_VERSION), "5.2"); }

}  // namespace
}  // namespace tenon::gpu
