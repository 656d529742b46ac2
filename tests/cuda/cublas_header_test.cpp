// The table of cuBLAS' functions and its numbers against NVIDIA's own header.
#include <cublas_v2.h>
#include <gtest/gtest.h>

#include "cublas/library.h"
#include "signatures.h"

namespace tenon::gpu::cublas {
namespace {

#define TENON_SAME_CALL(member, name, parameters) \
  static_assert(SameCall<decltype(Library::member), decltype(&name)>::value, #name);
TENON_CUBLAS_FUNCTIONS(TENON_SAME_CALL)
static_assert(std::is_same_v<decltype(cublasGetStatusString(CUBLAS_STATUS_SUCCESS)), const char*>);

TEST(CublasHeader, HasTheNumbersOfTheTable) {
  EXPECT_EQ(static_cast<int>(Result::success), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(static_cast<int>(Result::no_memory), CUBLAS_STATUS_ALLOC_FAILED);
  EXPECT_EQ(as_it_is, CUBLAS_OP_N);
  EXPECT_EQ(transposed, CUBLAS_OP_T);
  EXPECT_EQ(default_math, CUBLAS_DEFAULT_MATH);
  EXPECT_EQ(major_version, MAJOR_VERSION);
  EXPECT_EQ(minor_version, MINOR_VERSION);
}

}  // namespace
}  // namespace tenon::gpu::cublas
