// driver.h: the driver of a vendor's GPUs as a table of functions, found at run time in its library. CUDA's driver API
// and HIP's module API have the same functions under different names, and the same numbers for what both know; where
// they differ, Vendor (vendor.h) tells.
//
// Handles are opaque, addresses on the device are numbers. Nothing is linked and no vendor's header is needed, so a
// plugin loads on every machine; tests/cuda compares these signatures with the vendors' own.
//
// A Driver is constant once it is loaded, and its library stays loaded. Threads: any.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <variant>

namespace tenon::gpu {

using Status = std::int32_t;
using Address = std::uint64_t;
using Context = void*;
using Module = void*;
using Function = void*;
using NativeStream = void*;
using NativeEvent = void*;
using Pool = void*;

// The numbers that both vendors give to what has to be told apart here.
inline constexpr Status success = 0, out_of_memory = 2, no_device = 100, no_binary_for_gpu = 209, not_found = 500,
                        not_ready = 600, stub_library = 34;

// X(member, CUDA's name, HIP's name, parameters); the names are those in the libraries
#define TENON_DRIVER_FUNCTIONS(X)                                                                                      \
  X(initialise, cuInit, hipInit, (std::uint32_t flags))                                                                \
  X(driver_version, cuDriverGetVersion, hipRuntimeGetVersion, (int* version))                                          \
  X(device_count, cuDeviceGetCount, hipGetDeviceCount, (int* count))                                                   \
  X(device_get, cuDeviceGet, hipDeviceGet, (int* device, int ordinal))                                                 \
  X(device_name, cuDeviceGetName, hipDeviceGetName, (char* name, int capacity, int device))                            \
  X(device_bytes, cuDeviceTotalMem_v2, hipDeviceTotalMem, (std::size_t * bytes, int device))                           \
  X(device_attribute, cuDeviceGetAttribute, hipDeviceGetAttribute, (int* value, int attribute, int device))            \
  X(context_retain, cuDevicePrimaryCtxRetain, hipDevicePrimaryCtxRetain, (Context * context, int device))              \
  X(context_release, cuDevicePrimaryCtxRelease_v2, hipDevicePrimaryCtxRelease, (int device))                           \
  X(context_set, cuCtxSetCurrent, hipCtxSetCurrent, (Context context))                                                 \
  X(memory_info, cuMemGetInfo_v2, hipMemGetInfo, (std::size_t * free_bytes, std::size_t * total_bytes))                \
  X(memory_alloc, cuMemAlloc_v2, hipMalloc, (Address * address, std::size_t bytes))                                    \
  X(memory_free, cuMemFree_v2, hipFree, (Address address))                                                             \
  X(memory_alloc_async, cuMemAllocAsync, hipMallocAsync, (Address * address, std::size_t bytes, NativeStream stream))  \
  X(memory_free_async, cuMemFreeAsync, hipFreeAsync, (Address address, NativeStream stream))                           \
  X(pool_default, cuDeviceGetDefaultMemPool, hipDeviceGetDefaultMemPool, (Pool * pool, int device))                    \
  X(pool_set, cuMemPoolSetAttribute, hipMemPoolSetAttribute, (Pool pool, int attribute, void* value))                  \
  X(pool_trim, cuMemPoolTrimTo, hipMemPoolTrimTo, (Pool pool, std::size_t bytes_to_keep))                              \
  X(host_alloc, cuMemHostAlloc, hipHostMalloc, (void** memory, std::size_t bytes, std::uint32_t flags))                \
  X(host_free, cuMemFreeHost, hipHostFree, (void* memory))                                                             \
  X(copy, cuMemcpyDtoDAsync_v2, hipMemcpyDtoDAsync,                                                                    \
    (Address to, Address from, std::size_t bytes, NativeStream stream))                                                \
  X(copy_in, cuMemcpyHtoDAsync_v2, hipMemcpyHtoDAsync,                                                                 \
    (Address to, const void* from, std::size_t bytes, NativeStream stream))                                            \
  X(copy_out, cuMemcpyDtoHAsync_v2, hipMemcpyDtoHAsync,                                                                \
    (void* to, Address from, std::size_t bytes, NativeStream stream))                                                  \
  X(stream_create, cuStreamCreate, hipStreamCreateWithFlags, (NativeStream * stream, std::uint32_t flags))             \
  X(stream_destroy, cuStreamDestroy_v2, hipStreamDestroy, (NativeStream stream))                                       \
  X(stream_synchronize, cuStreamSynchronize, hipStreamSynchronize, (NativeStream stream))                              \
  X(stream_query, cuStreamQuery, hipStreamQuery, (NativeStream stream))                                                \
  X(stream_wait, cuStreamWaitEvent, hipStreamWaitEvent, (NativeStream stream, NativeEvent event, std::uint32_t flags)) \
  X(add_callback, cuStreamAddCallback, hipStreamAddCallback,                                                           \
    (NativeStream stream, void (*function)(NativeStream, Status, void*), void* data, std::uint32_t flags))             \
  X(event_create, cuEventCreate, hipEventCreateWithFlags, (NativeEvent * event, std::uint32_t flags))                  \
  X(event_destroy, cuEventDestroy_v2, hipEventDestroy, (NativeEvent event))                                            \
  X(event_record, cuEventRecord, hipEventRecord, (NativeEvent event, NativeStream stream))                             \
  X(event_query, cuEventQuery, hipEventQuery, (NativeEvent event))                                                     \
  X(event_synchronize, cuEventSynchronize, hipEventSynchronize, (NativeEvent event))                                   \
  X(event_elapsed, cuEventElapsedTime, hipEventElapsedTime, (float* milliseconds, NativeEvent from, NativeEvent to))   \
  X(module_load, cuModuleLoadData, hipModuleLoadData, (Module * module, const void* image))                            \
  X(module_unload, cuModuleUnload, hipModuleUnload, (Module module))                                                   \
  X(module_function, cuModuleGetFunction, hipModuleGetFunction,                                                        \
    (Function * function, Module module, const char* name))                                                            \
  X(launch, cuLaunchKernel, hipModuleLaunchKernel,                                                                     \
    (Function function, std::uint32_t grid_x, std::uint32_t grid_y, std::uint32_t grid_z, std::uint32_t block_x,       \
     std::uint32_t block_y, std::uint32_t block_z, std::uint32_t shared_bytes, NativeStream stream, void** parameters, \
     void** extra))

struct Driver {
#define TENON_DRIVER_MEMBER(member, cuda, hip, parameters) Status(*member) parameters = nullptr;
  TENON_DRIVER_FUNCTIONS(TENON_DRIVER_MEMBER)
#undef TENON_DRIVER_MEMBER
  void (*error_text)() = nullptr;  // the vendors disagree about its parameters: see Vendor::words
  void (*properties)() = nullptr;  // of a device, where the vendor tells its architecture that way
  std::string library;             // as it was opened
  int version = 0;
};

/// Errors after which a context serves nobody any more; both vendors' numbers.
constexpr bool is_lost(Status status) {
  constexpr Status lost[] = {214, 220, 226, 700, 702, 709, 710, 714, 715, 716, 717, 718, 719, 721, 810, 911};
  return std::find(std::begin(lost), std::end(lost), status) != std::end(lost);
}

/// Why there is no driver, or no device: a reason of plugin.h and the words that the user reads.
struct Absence {
  std::int32_t reason;
  std::string words;
};

/// Opens the vendor's library, finds every function, initialises the driver and asks for its version. Touches no
/// device.
std::variant<Driver, Absence> load_driver();

/// "cuMemAlloc: out of memory (2)": what a function said, in the driver's words.
std::string words_of(const Driver& driver, Status status);

}  // namespace tenon::gpu
