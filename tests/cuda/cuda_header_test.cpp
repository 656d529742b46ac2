// The table of driver functions and the numbers of vendor.cpp against NVIDIA's own header.
#include <cuda.h>
#include <gtest/gtest.h>

#include "host/vendor.h"
#include "signatures.h"

namespace tenon::gpu {
namespace {

#define TENON_SAME_CALL(member, cuda, hip, parameters) \
  static_assert(SameCall<decltype(Driver::member), decltype(&cuda)>::value, #cuda);
TENON_DRIVER_FUNCTIONS(TENON_SAME_CALL)

TEST(CudaHeader, HasTheNumbersOfTheTable) {
  EXPECT_EQ(success, CUDA_SUCCESS);
  EXPECT_EQ(out_of_memory, CUDA_ERROR_OUT_OF_MEMORY);
  EXPECT_EQ(no_device, CUDA_ERROR_NO_DEVICE);
  EXPECT_EQ(no_binary_for_gpu, CUDA_ERROR_NO_BINARY_FOR_GPU);
  EXPECT_EQ(not_found, CUDA_ERROR_NOT_FOUND);
  EXPECT_EQ(not_ready, CUDA_ERROR_NOT_READY);
  EXPECT_EQ(vendor.multiprocessors, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
  EXPECT_EQ(vendor.integrated, CU_DEVICE_ATTRIBUTE_INTEGRATED);
  EXPECT_EQ(vendor.pools, CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED);
}

TEST(CudaTargets, ServeWhatTheirCodeRunsOn) {
  constexpr std::string_view targets = "sm_80 sm_90 compute_90";
  for (const char* served : {"sm_80", "sm_86", "sm_89", "sm_90", "sm_100", "sm_120"})
    EXPECT_TRUE(vendor.has_code(served, targets)) << served;
  for (const char* refused : {"sm_75", "sm_70", "sm_0"}) EXPECT_FALSE(vendor.has_code(refused, targets)) << refused;
  EXPECT_FALSE(vendor.has_code("sm_100", "sm_80 sm_90"));
  EXPECT_FALSE(vendor.has_code("sm_80", "sm_86"));
  EXPECT_FALSE(vendor.has_code("sm_90", ""));
}

TEST(CudaVersions, ReadAsPeopleWriteThem) {
  EXPECT_EQ(vendor.version_text(13000), "13.0");
  EXPECT_EQ(vendor.version_text(12040), "12.4");
}

}  // namespace
}  // namespace tenon::gpu
