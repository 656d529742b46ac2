// library.h: cuBLAS as a table of functions, found at run time in the library that is installed. Nothing is linked and
// no header of NVIDIA's is needed; tests/cuda compares these signatures and numbers with cublas_v2.h.
//
// Constant once it is loaded; the library stays loaded. Threads: any.
#pragma once
#include <string>
#include <variant>

#include "host/driver.h"

namespace tenon::gpu::cublas {

using Handle = void*;

/// cublasStatus_t: another numbering than the driver's.
enum class Result : std::int32_t { success = 0, no_memory = 3 };

// cublasOperation_t; cublasMath_t; libraryPropertyType.
inline constexpr int as_it_is = 0, transposed = 1, default_math = 0, major_version = 0, minor_version = 1;

inline constexpr int least_major_version = 12;  // the first one with 64-bit extents

#define TENON_CUBLAS_PRODUCT(T)                                                                                     \
  (Handle handle, int left_form, int right_form, std::int64_t rows, std::int64_t columns, std::int64_t depth,       \
   const T* alpha, const T* left, std::int64_t left_pitch, const T* right, std::int64_t right_pitch, const T* beta, \
   T* result, std::int64_t result_pitch)
#define TENON_CUBLAS_PRODUCTS(T)                                                                              \
  (Handle handle, int left_form, int right_form, std::int64_t rows, std::int64_t columns, std::int64_t depth, \
   const T* alpha, const T* left, std::int64_t left_pitch, long long left_stride, const T* right,             \
   std::int64_t right_pitch, long long right_stride, const T* beta, T* result, std::int64_t result_pitch,     \
   long long result_stride, std::int64_t count)

// X(member, name in the library, parameters)
#define TENON_CUBLAS_FUNCTIONS(X)                                                              \
  X(get_property, cublasGetProperty, (int property, int* value))                               \
  X(create, cublasCreate_v2, (Handle * handle))                                                \
  X(destroy, cublasDestroy_v2, (Handle handle))                                                \
  X(set_stream, cublasSetStream_v2, (Handle handle, NativeStream stream))                      \
  X(set_workspace, cublasSetWorkspace_v2, (Handle handle, void* workspace, std::size_t bytes)) \
  X(set_math, cublasSetMathMode, (Handle handle, int mode))                                    \
  X(product_f32, cublasSgemm_v2_64, TENON_CUBLAS_PRODUCT(float))                               \
  X(product_f64, cublasDgemm_v2_64, TENON_CUBLAS_PRODUCT(double))                              \
  X(products_f32, cublasSgemmStridedBatched_64, TENON_CUBLAS_PRODUCTS(float))                  \
  X(products_f64, cublasDgemmStridedBatched_64, TENON_CUBLAS_PRODUCTS(double))

struct Library {
#define TENON_CUBLAS_MEMBER(member, name, parameters) Result(*member) parameters = nullptr;
  TENON_CUBLAS_FUNCTIONS(TENON_CUBLAS_MEMBER)
#undef TENON_CUBLAS_MEMBER
  const char* (*status_text)(Result) = nullptr;
  std::string name;  // as it was opened
};

/// The newest cuBLAS that a driver of this version serves, or in words why there is none.
std::variant<Library, std::string> load_library(int driver_version);

/// "the library was not initialized (1)": what a function said, in the library's words.
std::string words_of(const Library& library, Result result);

}  // namespace tenon::gpu::cublas
