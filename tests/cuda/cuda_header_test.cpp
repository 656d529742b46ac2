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
  EXPECT_EQ(stub_library, CUDA_ERROR_STUB_LIBRARY);
  EXPECT_EQ(vendor.multiprocessors, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
  EXPECT_EQ(vendor.integrated, CU_DEVICE_ATTRIBUTE_INTEGRATED);
  EXPECT_EQ(vendor.pools, CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED);
}

TEST(CudaHeader, SaysWhichErrorsEndAContext) {
  for (const CUresult end :
       {CUDA_ERROR_ECC_UNCORRECTABLE, CUDA_ERROR_NVLINK_UNCORRECTABLE, CUDA_ERROR_ILLEGAL_ADDRESS,
        CUDA_ERROR_LAUNCH_TIMEOUT, CUDA_ERROR_CONTEXT_IS_DESTROYED, CUDA_ERROR_ASSERT, CUDA_ERROR_HARDWARE_STACK_ERROR,
        CUDA_ERROR_ILLEGAL_INSTRUCTION, CUDA_ERROR_MISALIGNED_ADDRESS, CUDA_ERROR_INVALID_ADDRESS_SPACE,
        CUDA_ERROR_INVALID_PC, CUDA_ERROR_LAUNCH_FAILED, CUDA_ERROR_MPS_CLIENT_TERMINATED, CUDA_ERROR_EXTERNAL_DEVICE})
    EXPECT_TRUE(is_lost(end)) << end;
#if CUDA_VERSION >= 13000
  for (const CUresult end : {CUDA_ERROR_CONTAINED, CUDA_ERROR_TENSOR_MEMORY_LEAK}) EXPECT_TRUE(is_lost(end)) << end;
#endif
  for (const CUresult passing : {CUDA_SUCCESS, CUDA_ERROR_OUT_OF_MEMORY, CUDA_ERROR_INVALID_VALUE, CUDA_ERROR_NOT_READY,
                                 CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES, CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE,
                                 CUDA_ERROR_NOT_PERMITTED, CUDA_ERROR_INVALID_HANDLE})
    EXPECT_FALSE(is_lost(passing)) << passing;
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
