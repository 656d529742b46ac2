// AMD's HIP, the module API and what belongs to it, as far as a plugin needs it: libamdhip64.so.5 for tests.
// hip_runtime_api.h gives every prototype. Rules are CUDA's, after which HIP is made; where HIP's documentation is
// silent the fake does as cuda/ does.
#include <hip/hip_runtime_api.h>

#include <algorithm>
#include <cstring>

#include "driver/driver.h"

namespace {

using namespace gpusim::driver;  // its status codes have other names than HIP's

static_assert(hipSuccess == success && hipErrorInvalidValue == invalid_value && hipErrorOutOfMemory == out_of_memory);
static_assert(hipErrorNotInitialized == not_initialised && hipErrorNoDevice == no_device);
static_assert(hipErrorInvalidDevice == invalid_device && hipErrorInvalidImage == invalid_image);
static_assert(hipErrorInvalidContext == invalid_context && hipErrorNoBinaryForGpu == no_binary_for_gpu);
static_assert(hipErrorInvalidHandle == invalid_handle && hipErrorNotFound == not_found);
static_assert(hipErrorNotReady == not_ready && hipErrorIllegalAddress == illegal_address);
static_assert(hipErrorLaunchOutOfResources == out_of_resources && hipErrorLaunchFailure == launch_failed);

Driver& driver() { return Driver::of(Vendor::hip); }

constexpr Needs nothing = Needs::nothing, initialised = Needs::initialised, context = Needs::context;

template <class Body>
hipError_t call(const char* function, Needs needs, Body body) {
  return static_cast<hipError_t>(driver().call(function, needs, body));
}

int attribute_of_device(hipDeviceAttribute_t attribute) {
  switch (attribute) {
    case hipDeviceAttributeWarpSize:
      return int(driver().settings().warp_width);
    case hipDeviceAttributeMultiprocessorCount:
      return 8;
    case hipDeviceAttributeMaxThreadsPerBlock:
      return 1024;
    case hipDeviceAttributeMaxSharedMemoryPerBlock:
      return 64 << 10;
    case hipDeviceAttributeIntegrated:
      return 0;
    case hipDeviceAttributeCanMapHostMemory:
      return 1;
    case hipDeviceAttributeMemoryPoolsSupported:
      return 1;
    default:
      driver().unmodelled("device attribute " + std::to_string(int(attribute)));
  }
}

std::uint64_t number(const void* address) { return reinterpret_cast<std::uint64_t>(address); }
std::uint64_t* numbers(void** address) { return reinterpret_cast<std::uint64_t*>(address); }

bool is_current_pool(hipMemPool_t pool) {
  return reinterpret_cast<std::uintptr_t>(pool) == std::uintptr_t(driver().current()->device) + 1;
}

struct NamedStatus {
  Status status;
  const char *name, *text;
};
constexpr NamedStatus statuses[] = {
    {success, "hipSuccess", "no error"},
    {invalid_value, "hipErrorInvalidValue", "invalid argument"},
    {out_of_memory, "hipErrorOutOfMemory", "out of memory"},
    {not_initialised, "hipErrorNotInitialized", "initialization error"},
    {no_device, "hipErrorNoDevice", "no ROCm-capable device is detected"},
    {invalid_device, "hipErrorInvalidDevice", "invalid device ordinal"},
    {invalid_image, "hipErrorInvalidImage", "device kernel image is invalid"},
    {invalid_context, "hipErrorInvalidContext", "invalid device context"},
    {no_binary_for_gpu, "hipErrorNoBinaryForGpu", "no kernel image is available for execution on the device"},
    {invalid_handle, "hipErrorInvalidHandle", "invalid resource handle"},
    {not_found, "hipErrorNotFound", "named symbol not found"},
    {not_ready, "hipErrorNotReady", "device not ready"},
    {illegal_address, "hipErrorIllegalAddress", "an illegal memory access was encountered"},
    {out_of_resources, "hipErrorLaunchOutOfResources", "out of resources"},
    {launch_failed, "hipErrorLaunchFailure", "unspecified launch failure"},
};
const NamedStatus* named(hipError_t status) {
  const auto* found =
      std::find_if(std::begin(statuses), std::end(statuses), [=](const NamedStatus& s) { return s.status == status; });
  return found == std::end(statuses) ? nullptr : found;
}

}  // namespace

#define GPUSIM_API __attribute__((visibility("default"))) hipError_t

extern "C" {

// -- the driver and its devices -------------------------------------------------------------------------------------

GPUSIM_API hipInit(unsigned flags) {
  return call("hipInit", nothing, [&] { return driver().initialise(flags); });
}
GPUSIM_API hipRuntimeGetVersion(int* version) {
  return call("hipRuntimeGetVersion", nothing, [&] {
    if (version == nullptr) return invalid_value;
    *version = driver().settings().version;
    return success;
  });
}
GPUSIM_API hipGetDeviceCount(int* count) {
  return call("hipGetDeviceCount", initialised, [&] {
    *count = driver().device_count();
    return *count > 0 ? success : no_device;
  });
}
GPUSIM_API hipDeviceGet(hipDevice_t* device, int ordinal) {
  return call("hipDeviceGet", initialised, [&] {
    *device = ordinal;
    return driver().is_device(ordinal) ? success : invalid_device;
  });
}
GPUSIM_API hipDeviceGetName(char* name, int capacity, hipDevice_t device) {
  return call("hipDeviceGetName", initialised, [&] {
    if (!driver().is_device(device)) return invalid_device;
    std::strncpy(name, "gpusim", std::size_t(capacity));
    name[capacity - 1] = '\0';
    return success;
  });
}
GPUSIM_API hipDeviceTotalMem(std::size_t* bytes, hipDevice_t device) {
  return call("hipDeviceTotalMem", initialised, [&] {
    *bytes = driver().settings().memory_bytes;
    return driver().is_device(device) ? success : invalid_device;
  });
}
GPUSIM_API hipDeviceGetAttribute(int* value, hipDeviceAttribute_t attribute, int device) {
  return call("hipDeviceGetAttribute", initialised, [&] {
    *value = attribute_of_device(attribute);
    return driver().is_device(device) ? success : invalid_device;
  });
}
GPUSIM_API hipGetDeviceProperties(hipDeviceProp_t* properties, int device) {
  return call("hipGetDeviceProperties", initialised, [&] {
    if (!driver().is_device(device)) return invalid_device;
    *properties = {};
    std::strncpy(properties->name, "gpusim", sizeof properties->name - 1);
    const std::string architecture = driver().settings().architecture + ":sramecc+:xnack-";
    std::strncpy(properties->gcnArchName, architecture.c_str(), sizeof properties->gcnArchName - 1);
    properties->totalGlobalMem = driver().settings().memory_bytes;
    properties->warpSize = int(driver().settings().warp_width);
    properties->multiProcessorCount = 8;
    return success;
  });
}

// -- contexts -------------------------------------------------------------------------------------------------------

GPUSIM_API hipDevicePrimaryCtxRetain(hipCtx_t* handle, hipDevice_t device) {
  return call("hipDevicePrimaryCtxRetain", initialised,
              [&] { return driver().retain(reinterpret_cast<void**>(handle), device); });
}
GPUSIM_API hipDevicePrimaryCtxRelease(hipDevice_t device) {
  return call("hipDevicePrimaryCtxRelease", initialised, [&] { return driver().release(device); });
}
GPUSIM_API hipCtxSetCurrent(hipCtx_t handle) {
  return call("hipCtxSetCurrent", initialised, [&] { return driver().make_current(handle); });
}

// -- memory ---------------------------------------------------------------------------------------------------------

GPUSIM_API hipMalloc(void** address, std::size_t bytes) {
  return call("hipMalloc", context, [&] { return driver().allocate(numbers(address), bytes); });
}
GPUSIM_API hipFree(void* address) {
  return call("hipFree", context, [&] { return driver().free(number(address)); });
}
GPUSIM_API hipMallocAsync(void** address, std::size_t bytes, hipStream_t stream) {
  return call("hipMallocAsync", context, [&] { return driver().allocate_async(numbers(address), bytes, stream); });
}
GPUSIM_API hipFreeAsync(void* address, hipStream_t stream) {
  return call("hipFreeAsync", context, [&] { return driver().free_async(number(address), stream); });
}
GPUSIM_API hipHostMalloc(void** memory, std::size_t bytes, unsigned) {
  return call("hipHostMalloc", context, [&] { return driver().allocate_host(memory, bytes); });
}
GPUSIM_API hipHostFree(void* memory) {
  return call("hipHostFree", context, [&] { return driver().free_host(memory); });
}
GPUSIM_API hipMemGetInfo(std::size_t* free_bytes, std::size_t* all_bytes) {
  return call("hipMemGetInfo", context, [&] { return driver().memory_info(free_bytes, all_bytes); });
}
GPUSIM_API hipDeviceGetDefaultMemPool(hipMemPool_t* pool, int device) {
  return call("hipDeviceGetDefaultMemPool", initialised, [&] {
    *pool = reinterpret_cast<hipMemPool_t>(std::uintptr_t(device) + 1);
    return driver().is_device(device) ? success : invalid_device;
  });
}
GPUSIM_API hipMemPoolSetAttribute(hipMemPool_t pool, hipMemPoolAttr attribute, void* value) {
  return call("hipMemPoolSetAttribute", context, [&] {
    if (!is_current_pool(pool)) return invalid_value;
    if (attribute != hipMemPoolAttrReleaseThreshold) driver().unmodelled("that attribute of a pool");
    return driver().pool_keep(*static_cast<std::uint64_t*>(value));
  });
}
GPUSIM_API hipMemPoolTrimTo(hipMemPool_t pool, std::size_t keep) {
  return call("hipMemPoolTrimTo", context,
              [&] { return is_current_pool(pool) ? driver().pool_trim(keep) : invalid_value; });
}
GPUSIM_API hipMemcpyDtoDAsync(hipDeviceptr_t to, hipDeviceptr_t from, std::size_t bytes, hipStream_t stream) {
  return call("hipMemcpyDtoDAsync", context, [&] { return driver().copy(number(to), number(from), bytes, stream); });
}
GPUSIM_API hipMemcpyHtoDAsync(hipDeviceptr_t to, void* from, std::size_t bytes, hipStream_t stream) {
  return call("hipMemcpyHtoDAsync", context, [&] { return driver().copy_in(number(to), from, bytes, stream); });
}
GPUSIM_API hipMemcpyDtoHAsync(void* to, hipDeviceptr_t from, std::size_t bytes, hipStream_t stream) {
  return call("hipMemcpyDtoHAsync", context, [&] { return driver().copy_out(to, number(from), bytes, stream); });
}
GPUSIM_API hipMemsetD8Async(hipDeviceptr_t to, unsigned char value, std::size_t count, hipStream_t stream) {
  return call("hipMemsetD8Async", context, [&] { return driver().fill(number(to), value, 1, count, stream); });
}
GPUSIM_API hipMemsetD32Async(hipDeviceptr_t to, int value, std::size_t count, hipStream_t stream) {
  return call("hipMemsetD32Async", context,
              [&] { return driver().fill(number(to), std::uint32_t(value), 4, count, stream); });
}

// -- streams and events ---------------------------------------------------------------------------------------------

GPUSIM_API hipStreamCreateWithFlags(hipStream_t* stream, unsigned flags) {
  return call("hipStreamCreateWithFlags", context, [&] {
    if ((flags & ~unsigned(hipStreamNonBlocking)) != 0) return invalid_value;
    return driver().create_stream(reinterpret_cast<void**>(stream));
  });
}
GPUSIM_API hipStreamDestroy(hipStream_t stream) {
  return call("hipStreamDestroy", context, [&] { return driver().destroy_stream(stream); });
}
GPUSIM_API hipStreamSynchronize(hipStream_t stream) {
  return call("hipStreamSynchronize", context, [&] { return driver().synchronize(stream); });
}
GPUSIM_API hipStreamQuery(hipStream_t stream) {
  return call("hipStreamQuery", context, [&] { return driver().query(stream); });
}
GPUSIM_API hipStreamWaitEvent(hipStream_t stream, hipEvent_t event, unsigned flags) {
  return call("hipStreamWaitEvent", context, [&] { return flags == 0 ? driver().wait(stream, event) : invalid_value; });
}
GPUSIM_API hipStreamAddCallback(hipStream_t stream, hipStreamCallback_t callback, void* data, unsigned flags) {
  return call("hipStreamAddCallback", context, [&] {
    if (flags != 0 || callback == nullptr) return invalid_value;
    return driver().add_callback(stream, [=](Status error) { callback(stream, static_cast<hipError_t>(error), data); });
  });
}
GPUSIM_API hipEventCreateWithFlags(hipEvent_t* event, unsigned flags) {
  return call("hipEventCreateWithFlags", context, [&] {
    if ((flags & hipEventInterprocess) != 0) driver().unmodelled("events of several processes");
    return driver().create_event(reinterpret_cast<void**>(event), (flags & hipEventDisableTiming) == 0);
  });
}
GPUSIM_API hipEventDestroy(hipEvent_t event) {
  return call("hipEventDestroy", context, [&] { return driver().destroy_event(event); });
}
GPUSIM_API hipEventRecord(hipEvent_t event, hipStream_t stream) {
  return call("hipEventRecord", context, [&] { return driver().record(event, stream); });
}
GPUSIM_API hipEventQuery(hipEvent_t event) {
  return call("hipEventQuery", context, [&] { return driver().query_event(event); });
}
GPUSIM_API hipEventSynchronize(hipEvent_t event) {
  return call("hipEventSynchronize", context, [&] { return driver().synchronize_event(event); });
}
GPUSIM_API hipEventElapsedTime(float* milliseconds, hipEvent_t from, hipEvent_t to) {
  return call("hipEventElapsedTime", context, [&] { return driver().elapsed(milliseconds, from, to); });
}

// -- code -----------------------------------------------------------------------------------------------------------

GPUSIM_API hipModuleLoadData(hipModule_t* module, const void* image) {
  return call("hipModuleLoadData", context, [&] { return driver().load(reinterpret_cast<void**>(module), image); });
}
GPUSIM_API hipModuleUnload(hipModule_t module) {
  return call("hipModuleUnload", context, [&] { return driver().unload(module); });
}
GPUSIM_API hipModuleGetFunction(hipFunction_t* function, hipModule_t module, const char* name) {
  return call("hipModuleGetFunction", context,
              [&] { return driver().find(reinterpret_cast<void**>(function), module, name); });
}
GPUSIM_API hipModuleLaunchKernel(hipFunction_t function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                                 unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_bytes,
                                 hipStream_t stream, void** parameters, void** extra) {
  return call("hipModuleLaunchKernel", context, [&] {
    if (extra != nullptr) driver().unmodelled("parameters in a buffer");
    const Grid grid{{grid_x, grid_y, grid_z}, {block_x, block_y, block_z}, shared_bytes};
    return driver().launch(function, grid, stream, parameters);
  });
}

// -- words ----------------------------------------------------------------------------------------------------------

__attribute__((visibility("default"))) const char* hipGetErrorString(hipError_t status) {
  return named(status) == nullptr ? "unknown error" : named(status)->text;
}
__attribute__((visibility("default"))) const char* hipGetErrorName(hipError_t status) {
  return named(status) == nullptr ? "hipErrorUnknown" : named(status)->name;
}

}  // extern "C"
