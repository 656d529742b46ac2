// cuBLAS, as far as a plugin needs it: libcublas.so.13 for tests. Its products are done in the stream's order on the
// simulated device's memory, their sums in an order of their own. The rules are those of NVIDIA's "cuBLAS" manual.
//
//   TENON_GPUSIM_CUBLAS_VERSION=11.9    what it says of its version (13.1)
//   TENON_GPUSIM_FAIL=cublasCreate:1:3  as with the driver's functions
#include "cublas/library.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <set>
#include <vector>

#include "driver/driver.h"

namespace {

using gpusim::driver::Driver;
using gpusim::driver::Needs;
using tenon::gpu::NativeStream;
using tenon::gpu::cublas::default_math;
using tenon::gpu::cublas::Handle;
using tenon::gpu::cublas::transposed;

/// cublasStatus_t, and what an error of the driver comes to.
using Status = int;
constexpr Status good = 0, not_initialised = 1, invalid_value = 7, execution_failed = 13;
constexpr Status first_of_the_driver = 100;

Driver& driver() { return Driver::of(gpusim::driver::Vendor::cuda); }

/// The simulator's memory costs time by its size, and that of most tests is small; who says nothing gets little.
[[gnu::constructor]] void configure_workspace() { setenv("CUBLAS_WORKSPACE_CONFIG", ":16:8", 0); }

/// A library context: "tightly coupled with the CUDA context that is current at the time of the cublasCreate() call".
struct Context {
  gpusim::driver::Context* of = nullptr;
  void* event = nullptr;   // something of the driver's, so that a context which is not destroyed is seen
  void* stream = nullptr;  // null: the default one
  char* workspace = nullptr;
  std::size_t workspace_bytes = 0;
};

template <class Body>
Status call(const char* function, Body body) {
  const Status status = driver().call(function, Needs::context, body);
  if (status < first_of_the_driver) return status;
  return status == gpusim::driver::invalid_context ? not_initialised : execution_failed;
}

template <class Body>
Status with(const char* function, Handle handle, Body body) {
  return call(function, [&]() -> Status {
    if (handle == nullptr) return not_initialised;
    auto& context = *static_cast<Context*>(handle);
    if (context.of != driver().current()) driver().unmodelled("a cuBLAS handle outside the context it was made in");
    return body(context);
  });
}

// -- products -------------------------------------------------------------------------------------------------------

template <class T>
struct Operand {
  const T* base;
  std::int64_t pitch;
  long long stride;
  std::int64_t rows, columns;  // as it lies there: columns of so many rows

  std::size_t elements(std::int64_t count) const {
    return std::size_t((count - 1) * stride + (columns - 1) * pitch + rows);
  }
};

/// Everything of one call, in cuBLAS' own terms: column-major.
template <class T>
struct Product {
  int left_form, right_form;
  std::int64_t rows, columns, depth, count;
  T alpha, beta;
  Operand<T> left, right, result;

  bool is_valid() const {
    const auto fits = [](const Operand<T>& o) { return o.pitch >= std::max<std::int64_t>(1, o.rows); };
    return rows >= 0 && columns >= 0 && depth >= 0 && count >= 0 && fits(left) && fits(right) && fits(result);
  }
};

template <class T>
std::vector<T> read(gpusim::Memory& memory, const Operand<T>& operand, std::int64_t count) {
  std::vector<T> values(operand.elements(count));
  if (!memory.holds(operand.base, values.size() * sizeof(T)))
    driver().unmodelled("a product of what is no memory of the device");
  memory.read(values.data(), operand.base, values.size() * sizeof(T));
  return values;
}

/// In descending order, so that nobody takes the sums for those of the strict kernels.
template <class T>
T dot(const Product<T>& p, const T* left, const T* right, std::int64_t row, std::int64_t column) {
  T sum = 0;
  for (std::int64_t k = p.depth; k-- > 0;) {
    const T a = p.left_form == transposed ? left[row * p.left.pitch + k] : left[k * p.left.pitch + row];
    const T b = p.right_form == transposed ? right[k * p.right.pitch + column] : right[column * p.right.pitch + k];
    sum += a * b;
  }
  return sum;
}

template <class T>
void multiply(const Product<T>& p, const Context& context, gpusim::Memory& memory) {
  const gpusim::Memory::Opened opened(memory);
  // "rely on workspace being intact": who shares it or gives it away early computes garbage.
  const std::vector<unsigned char> garbage(context.workspace_bytes > 4096 ? 4096 : context.workspace_bytes, 0xff);
  if (!memory.holds(context.workspace, context.workspace_bytes)) driver().unmodelled("a workspace that was freed");
  memory.write(context.workspace, garbage.data(), garbage.size());
  const std::vector<T> left = read(memory, p.left, p.count), right = read(memory, p.right, p.count);
  std::vector<T> column(std::size_t(p.rows));
  for (std::int64_t i = 0; i < p.count; ++i) {
    for (std::int64_t j = 0; j < p.columns; ++j) {
      const T* to = p.result.base + i * p.result.stride + j * p.result.pitch;
      const std::size_t bytes = column.size() * sizeof(T);
      if (!memory.holds(to, bytes)) driver().unmodelled("a product that goes to no memory of the device");
      // "If beta == 0, C does not have to be a valid input."
      if (p.beta != 0) memory.read(column.data(), to, bytes);
      for (std::int64_t row = 0; row < p.rows; ++row) {
        const T sum = p.alpha * dot(p, left.data() + i * p.left.stride, right.data() + i * p.right.stride, row, j);
        column[std::size_t(row)] = p.beta == 0 ? sum : sum + p.beta * column[std::size_t(row)];
      }
      memory.write(const_cast<T*>(to), column.data(), bytes);
    }
  }
}

template <class T>
Status enqueue(const char* function, Handle handle, const Product<T>& product) {
  return with(function, handle, [&](Context& context) -> Status {
    if (!product.is_valid()) return invalid_value;
    if (context.stream == nullptr) driver().unmodelled("products in the default stream");
    if (context.workspace == nullptr) driver().unmodelled("the workspace that cuBLAS has when nobody sets one");
    if (product.rows == 0 || product.columns == 0 || product.count == 0) return good;
    if (product.depth == 0) driver().unmodelled("products without depth");
    gpusim::Memory* memory = &context.of->simulated->memory();
    return driver().add_callback(context.stream, [product, context, memory](Status error) {
      if (error == good) multiply(product, context, *memory);
    });
  });
}

template <class T>
Product<T> product_of(int left_form, int right_form, std::int64_t rows, std::int64_t columns, std::int64_t depth,
                      const T* alpha, const T* beta) {
  const auto operand = [](int form, std::int64_t outer, std::int64_t inner) {
    return form == transposed ? Operand<T>{nullptr, 0, 0, inner, outer} : Operand<T>{nullptr, 0, 0, outer, inner};
  };
  return {left_form,
          right_form,
          rows,
          columns,
          depth,
          1,
          *alpha,
          *beta,
          operand(left_form, rows, depth),
          operand(right_form, depth, columns),
          operand(0, rows, columns)};
}

template <class T>
void place(Operand<T>& operand, const T* base, std::int64_t pitch, long long stride = 0) {
  operand.base = base;
  operand.pitch = pitch;
  operand.stride = stride;
}

}  // namespace

#define GPUSIM_API extern "C" __attribute__((visibility("default")))

// -- contexts -------------------------------------------------------------------------------------------------------

GPUSIM_API Status cublasGetProperty(int property, int* value) {
  const char* given = std::getenv("TENON_GPUSIM_CUBLAS_VERSION");
  int version[3] = {13, 1, 0};
  if (given != nullptr) std::sscanf(given, "%d.%d", &version[0], &version[1]);
  if (property < 0 || property > 2 || value == nullptr) return invalid_value;
  *value = version[property];
  return good;
}
/// Those that were not given back. A device that is lost gives nothing back: no leak of a sanitizer's.
static std::set<Context*>& contexts() {
  static auto* const all = new std::set<Context*>;
  return *all;
}

GPUSIM_API Status cublasCreate_v2(Handle* handle) {
  return call("cublasCreate", [&]() -> Status {
    auto* context = new Context{.of = driver().current()};
    contexts().insert(context);
    *handle = context;
    return driver().create_event(&context->event, false);
  });
}
GPUSIM_API Status cublasDestroy_v2(Handle handle) {
  return with("cublasDestroy", handle, [&](Context& context) -> Status {
    const Status status = driver().destroy_event(context.event);
    contexts().erase(&context);
    delete &context;
    return status;
  });
}
GPUSIM_API Status cublasSetMathMode(Handle handle, int mode) {
  return with("cublasSetMathMode", handle, [&](Context&) -> Status {
    if (mode != default_math) driver().unmodelled("mathematics other than the default");
    return good;
  });
}
// "unconditionally resets the cuBLAS library workspace back to the default workspace pool"
GPUSIM_API Status cublasSetStream_v2(Handle handle, NativeStream stream) {
  return with("cublasSetStream", handle, [&](Context& context) -> Status {
    context.stream = stream;
    context.workspace = nullptr;
    context.workspace_bytes = 0;
    return good;
  });
}
// "has to be aligned to at least 256 bytes"; "16KiB is enough to prevent CUBLAS_STATUS_ALLOC_FAILED"
GPUSIM_API Status cublasSetWorkspace_v2(Handle handle, void* workspace, std::size_t bytes) {
  return with("cublasSetWorkspace", handle, [&](Context& context) -> Status {
    if (reinterpret_cast<std::uintptr_t>(workspace) % 256 != 0) return invalid_value;
    if (bytes < (std::size_t{16} << 10)) driver().unmodelled("a workspace of less than 16 KiB");
    context.workspace = static_cast<char*>(workspace);
    context.workspace_bytes = bytes;
    return good;
  });
}

// -- products -------------------------------------------------------------------------------------------------------

#define GPUSIM_PRODUCTS(T, letter)                                                       \
  GPUSIM_API Status cublas##letter##gemm_v2_64 TENON_CUBLAS_PRODUCT(T) {                 \
    Product<T> p = product_of(left_form, right_form, rows, columns, depth, alpha, beta); \
    place(p.left, left, left_pitch);                                                     \
    place(p.right, right, right_pitch);                                                  \
    place<T>(p.result, result, result_pitch);                                            \
    return enqueue("cublas" #letter "gemm", handle, p);                                  \
  }                                                                                      \
  GPUSIM_API Status cublas##letter##gemmStridedBatched_64 TENON_CUBLAS_PRODUCTS(T) {     \
    Product<T> p = product_of(left_form, right_form, rows, columns, depth, alpha, beta); \
    place(p.left, left, left_pitch, left_stride);                                        \
    place(p.right, right, right_pitch, right_stride);                                    \
    place<T>(p.result, result, result_pitch, result_stride);                             \
    p.count = count;                                                                     \
    return enqueue("cublas" #letter "gemmStridedBatched", handle, p);                    \
  }
GPUSIM_PRODUCTS(float, S)
#ifndef GPUSIM_CUBLAS_LACKS_BINARY64
GPUSIM_PRODUCTS(double, D)
#endif

// -- words ----------------------------------------------------------------------------------------------------------

GPUSIM_API const char* cublasGetStatusString(Status status) {
  switch (status) {
    case good:
      return "the operation completed successfully";
    case not_initialised:
      return "the library was not initialized";
    case 3:
      return "the resource allocation failed";
    case invalid_value:
      return "an unsupported value or parameter was passed to the function";
    case execution_failed:
      return "the function failed to launch on the GPU";
    default:
      return "unknown error";
  }
}
