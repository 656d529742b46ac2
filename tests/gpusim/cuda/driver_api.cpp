// NVIDIA's driver API, as far as a plugin needs it: libcuda.so.1 for tests. cuda.h gives every prototype, and renames
// functions to their versions (cuMemAlloc to cuMemAlloc_v2).
#include <cuda.h>
#include <dlfcn.h>

#include <algorithm>
#include <cstring>

#include "driver/driver.h"

namespace {

using namespace gpusim::driver;  // its status codes have other names than cuda.h's

static_assert(CUDA_SUCCESS == success && CUDA_ERROR_INVALID_VALUE == invalid_value);
static_assert(CUDA_ERROR_OUT_OF_MEMORY == out_of_memory && CUDA_ERROR_NOT_INITIALIZED == not_initialised);
static_assert(CUDA_ERROR_NO_DEVICE == no_device && CUDA_ERROR_INVALID_DEVICE == invalid_device);
static_assert(CUDA_ERROR_INVALID_IMAGE == invalid_image && CUDA_ERROR_INVALID_CONTEXT == invalid_context);
static_assert(CUDA_ERROR_NO_BINARY_FOR_GPU == no_binary_for_gpu && CUDA_ERROR_INVALID_HANDLE == invalid_handle);
static_assert(CUDA_ERROR_NOT_FOUND == not_found && CUDA_ERROR_NOT_READY == not_ready);
static_assert(CUDA_ERROR_ILLEGAL_ADDRESS == illegal_address && CUDA_ERROR_LAUNCH_FAILED == launch_failed);
static_assert(CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES == out_of_resources && CUDA_ERROR_NOT_PERMITTED == not_permitted);

Driver& driver() { return Driver::of(Vendor::cuda); }

constexpr Needs nothing = Needs::nothing, initialised = Needs::initialised, context = Needs::context;

template <class Body>
CUresult call(const char* function, Needs needs, Body body) {
  return static_cast<CUresult>(driver().call(function, needs, body));
}

/// 90 of sm_90.
int capability() { return std::atoi(driver().settings().architecture.c_str() + 3); }

int attribute_of_device(CUdevice_attribute attribute) {
  switch (attribute) {
    case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR:
      return capability() / 10;
    case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR:
      return capability() % 10;
    case CU_DEVICE_ATTRIBUTE_WARP_SIZE:
      return int(driver().settings().warp_width);
    case CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT:
      return 8;
    case CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
      return 1024;
    case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK:
      return 48 << 10;
    case CU_DEVICE_ATTRIBUTE_INTEGRATED:
      return 0;
    case CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING:
      return 1;
    case CU_DEVICE_ATTRIBUTE_CAN_MAP_HOST_MEMORY:
      return 1;
    case CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED:
      return 1;
    default:
      driver().unmodelled("device attribute " + std::to_string(int(attribute)));
  }
}

}  // namespace

#define GPUSIM_API __attribute__((visibility("default"))) CUresult CUDAAPI

extern "C" {

// -- the driver and its devices -------------------------------------------------------------------------------------

GPUSIM_API cuInit(unsigned flags) {
  return call("cuInit", nothing, [&] { return driver().initialise(flags); });
}
GPUSIM_API cuDriverGetVersion(int* version) {
  return call("cuDriverGetVersion", nothing, [&] {
    if (version == nullptr) return invalid_value;
    *version = driver().settings().version;
    return success;
  });
}
GPUSIM_API cuDeviceGetCount(int* count) {
  return call("cuDeviceGetCount", initialised, [&] {
    *count = driver().device_count();
    return success;
  });
}
GPUSIM_API cuDeviceGet(CUdevice* device, int ordinal) {
  return call("cuDeviceGet", initialised, [&] {
    *device = ordinal;
    return driver().is_device(ordinal) ? success : invalid_device;
  });
}
GPUSIM_API cuDeviceGetName(char* name, int capacity, CUdevice device) {
  return call("cuDeviceGetName", initialised, [&] {
    if (!driver().is_device(device)) return invalid_device;
    std::strncpy(name, "gpusim", std::size_t(capacity));
    name[capacity - 1] = '\0';
    return success;
  });
}
GPUSIM_API cuDeviceTotalMem(std::size_t* bytes, CUdevice device) {
  return call("cuDeviceTotalMem", initialised, [&] {
    *bytes = driver().settings().memory_bytes;
    return driver().is_device(device) ? success : invalid_device;
  });
}
GPUSIM_API cuDeviceGetAttribute(int* value, CUdevice_attribute attribute, CUdevice device) {
  return call("cuDeviceGetAttribute", initialised, [&] {
    *value = attribute_of_device(attribute);
    return driver().is_device(device) ? success : invalid_device;
  });
}

// -- contexts -------------------------------------------------------------------------------------------------------

GPUSIM_API cuDevicePrimaryCtxRetain(CUcontext* handle, CUdevice device) {
  return call("cuDevicePrimaryCtxRetain", initialised,
              [&] { return driver().retain(reinterpret_cast<void**>(handle), device); });
}
GPUSIM_API cuDevicePrimaryCtxRelease(CUdevice device) {
  return call("cuDevicePrimaryCtxRelease", initialised, [&] { return driver().release(device); });
}
GPUSIM_API cuCtxSetCurrent(CUcontext handle) {
  return call("cuCtxSetCurrent", initialised, [&] { return driver().make_current(handle); });
}
GPUSIM_API cuCtxGetCurrent(CUcontext* handle) {
  return call("cuCtxGetCurrent", initialised, [&] {
    *handle = reinterpret_cast<CUcontext>(driver().current());
    return success;
  });
}
GPUSIM_API cuCtxGetDevice(CUdevice* device) {
  return call("cuCtxGetDevice", context, [&] {
    *device = driver().current()->device;
    return success;
  });
}
GPUSIM_API cuCtxSynchronize() {
  return call("cuCtxSynchronize", context, [] { return driver().synchronize_context(); });
}

// -- memory ---------------------------------------------------------------------------------------------------------

static std::uint64_t* numbers(CUdeviceptr* address) { return reinterpret_cast<std::uint64_t*>(address); }

GPUSIM_API cuMemAlloc(CUdeviceptr* address, std::size_t bytes) {
  return call("cuMemAlloc", context, [&] { return driver().allocate(numbers(address), bytes); });
}
GPUSIM_API cuMemFree(CUdeviceptr address) {
  return call("cuMemFree", context, [&] { return driver().free(address); });
}
GPUSIM_API cuMemAllocAsync(CUdeviceptr* address, std::size_t bytes, CUstream stream) {
  return call("cuMemAllocAsync", context, [&] { return driver().allocate_async(numbers(address), bytes, stream); });
}
GPUSIM_API cuMemFreeAsync(CUdeviceptr address, CUstream stream) {
  return call("cuMemFreeAsync", context, [&] { return driver().free_async(address, stream); });
}
GPUSIM_API cuMemHostAlloc(void** memory, std::size_t bytes, unsigned) {
  return call("cuMemHostAlloc", context, [&] { return driver().allocate_host(memory, bytes); });
}
GPUSIM_API cuMemFreeHost(void* memory) {
  return call("cuMemFreeHost", context, [&] { return driver().free_host(memory); });
}
GPUSIM_API cuMemGetInfo(std::size_t* free_bytes, std::size_t* all_bytes) {
  return call("cuMemGetInfo", context, [&] { return driver().memory_info(free_bytes, all_bytes); });
}
GPUSIM_API cuDeviceGetDefaultMemPool(CUmemoryPool* pool, CUdevice device) {
  return call("cuDeviceGetDefaultMemPool", initialised, [&] {
    // A pool's handle says of which device it is; the calls below want that to be the current one.
    *pool = reinterpret_cast<CUmemoryPool>(std::uintptr_t(device) + 1);
    return driver().is_device(device) ? success : invalid_device;
  });
}
static bool is_current_pool(CUmemoryPool pool) {
  return reinterpret_cast<std::uintptr_t>(pool) == std::uintptr_t(driver().current()->device) + 1;
}
GPUSIM_API cuMemPoolSetAttribute(CUmemoryPool pool, CUmemPool_attribute attribute, void* value) {
  return call("cuMemPoolSetAttribute", context, [&] {
    if (!is_current_pool(pool)) return invalid_value;
    if (attribute != CU_MEMPOOL_ATTR_RELEASE_THRESHOLD) driver().unmodelled("that attribute of a pool");
    return driver().pool_keep(*static_cast<cuuint64_t*>(value));
  });
}
GPUSIM_API cuMemPoolTrimTo(CUmemoryPool pool, std::size_t keep) {
  return call("cuMemPoolTrimTo", context,
              [&] { return is_current_pool(pool) ? driver().pool_trim(keep) : invalid_value; });
}

GPUSIM_API cuMemcpyDtoDAsync(CUdeviceptr to, CUdeviceptr from, std::size_t bytes, CUstream stream) {
  return call("cuMemcpyDtoDAsync", context, [&] { return driver().copy(to, from, bytes, stream); });
}
GPUSIM_API cuMemcpyHtoDAsync(CUdeviceptr to, const void* from, std::size_t bytes, CUstream stream) {
  return call("cuMemcpyHtoDAsync", context, [&] { return driver().copy_in(to, from, bytes, stream); });
}
GPUSIM_API cuMemcpyDtoHAsync(void* to, CUdeviceptr from, std::size_t bytes, CUstream stream) {
  return call("cuMemcpyDtoHAsync", context, [&] { return driver().copy_out(to, from, bytes, stream); });
}
GPUSIM_API cuMemsetD8Async(CUdeviceptr to, unsigned char value, std::size_t count, CUstream stream) {
  return call("cuMemsetD8Async", context, [&] { return driver().fill(to, value, 1, count, stream); });
}
GPUSIM_API cuMemsetD16Async(CUdeviceptr to, unsigned short value, std::size_t count, CUstream stream) {
  return call("cuMemsetD16Async", context, [&] { return driver().fill(to, value, 2, count, stream); });
}
GPUSIM_API cuMemsetD32Async(CUdeviceptr to, unsigned value, std::size_t count, CUstream stream) {
  return call("cuMemsetD32Async", context, [&] { return driver().fill(to, value, 4, count, stream); });
}

// -- streams and events ---------------------------------------------------------------------------------------------

GPUSIM_API cuStreamCreate(CUstream* stream, unsigned flags) {
  return call("cuStreamCreate", context, [&] {
    if ((flags & ~unsigned(CU_STREAM_NON_BLOCKING)) != 0) return invalid_value;
    return driver().create_stream(reinterpret_cast<void**>(stream));
  });
}
GPUSIM_API cuStreamDestroy(CUstream stream) {
  return call("cuStreamDestroy", context, [&] { return driver().destroy_stream(stream); });
}
GPUSIM_API cuStreamSynchronize(CUstream stream) {
  return call("cuStreamSynchronize", context, [&] { return driver().synchronize(stream); });
}
GPUSIM_API cuStreamQuery(CUstream stream) {
  return call("cuStreamQuery", context, [&] { return driver().query(stream); });
}
GPUSIM_API cuStreamWaitEvent(CUstream stream, CUevent event, unsigned flags) {
  return call("cuStreamWaitEvent", context, [&] { return flags == 0 ? driver().wait(stream, event) : invalid_value; });
}
GPUSIM_API cuStreamAddCallback(CUstream stream, CUstreamCallback callback, void* data, unsigned flags) {
  return call("cuStreamAddCallback", context, [&] {
    if (flags != 0 || callback == nullptr) return invalid_value;  // "flags: Reserved for future use, must be 0"
    return driver().add_callback(stream, [=](Status error) { callback(stream, static_cast<CUresult>(error), data); });
  });
}
// "The host function may not be called in the event of an error in the CUDA context" (cuLaunchHostFunc).
GPUSIM_API cuLaunchHostFunc(CUstream stream, CUhostFn function, void* data) {
  return call("cuLaunchHostFunc", context, [&] {
    if (function == nullptr) return invalid_value;
    return driver().add_callback(stream, [=](Status error) {
      if (error == success) function(data);
    });
  });
}
GPUSIM_API cuEventCreate(CUevent* event, unsigned flags) {
  return call("cuEventCreate", context, [&] {
    if ((flags & CU_EVENT_INTERPROCESS) != 0) driver().unmodelled("events of several processes");
    return driver().create_event(reinterpret_cast<void**>(event), (flags & CU_EVENT_DISABLE_TIMING) == 0);
  });
}
GPUSIM_API cuEventDestroy(CUevent event) {
  return call("cuEventDestroy", context, [&] { return driver().destroy_event(event); });
}
GPUSIM_API cuEventRecord(CUevent event, CUstream stream) {
  return call("cuEventRecord", context, [&] { return driver().record(event, stream); });
}
GPUSIM_API cuEventQuery(CUevent event) {
  return call("cuEventQuery", context, [&] { return driver().query_event(event); });
}
GPUSIM_API cuEventSynchronize(CUevent event) {
  return call("cuEventSynchronize", context, [&] { return driver().synchronize_event(event); });
}
#undef cuEventElapsedTime
GPUSIM_API cuEventElapsedTime(float* milliseconds, CUevent from, CUevent to) {
  return call("cuEventElapsedTime", context, [&] { return driver().elapsed(milliseconds, from, to); });
}
GPUSIM_API cuEventElapsedTime_v2(float* milliseconds, CUevent from, CUevent to) {
  return cuEventElapsedTime(milliseconds, from, to);
}

// -- code -----------------------------------------------------------------------------------------------------------

GPUSIM_API cuModuleLoadData(CUmodule* module, const void* image) {
  return call("cuModuleLoadData", context, [&] { return driver().load(reinterpret_cast<void**>(module), image); });
}
GPUSIM_API cuModuleLoadDataEx(CUmodule* module, const void* image, unsigned options, CUjit_option*, void**) {
  return call("cuModuleLoadDataEx", context, [&] {
    if (options != 0) driver().unmodelled("options of the PTX compiler");
    return driver().load(reinterpret_cast<void**>(module), image);
  });
}
GPUSIM_API cuModuleUnload(CUmodule module) {
  return call("cuModuleUnload", context, [&] { return driver().unload(module); });
}
GPUSIM_API cuModuleGetFunction(CUfunction* function, CUmodule module, const char* name) {
  return call("cuModuleGetFunction", context,
              [&] { return driver().find(reinterpret_cast<void**>(function), module, name); });
}
GPUSIM_API cuLaunchKernel(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
                          unsigned block_y, unsigned block_z, unsigned shared_bytes, CUstream stream, void** parameters,
                          void** extra) {
  return call("cuLaunchKernel", context, [&] {
    if (extra != nullptr) driver().unmodelled("parameters in a buffer");
    const Grid grid{{grid_x, grid_y, grid_z}, {block_x, block_y, block_z}, shared_bytes};
    return driver().launch(function, grid, stream, parameters);
  });
}
GPUSIM_API cuLaunchKernelEx(const CUlaunchConfig* config, CUfunction function, void** parameters, void** extra) {
  return call("cuLaunchKernelEx", context, [&] {
    if (extra != nullptr || config->numAttrs != 0) driver().unmodelled("attributes of a launch");
    const Grid grid{{config->gridDimX, config->gridDimY, config->gridDimZ},
                    {config->blockDimX, config->blockDimY, config->blockDimZ},
                    config->sharedMemBytes};
    return driver().launch(function, grid, config->hStream, parameters);
  });
}

// -- words ----------------------------------------------------------------------------------------------------------

struct NamedStatus {
  Status status;
  const char *name, *text;
};
static constexpr NamedStatus statuses[] = {
    {success, "CUDA_SUCCESS", "no error"},
    {invalid_value, "CUDA_ERROR_INVALID_VALUE", "invalid argument"},
    {out_of_memory, "CUDA_ERROR_OUT_OF_MEMORY", "out of memory"},
    {not_initialised, "CUDA_ERROR_NOT_INITIALIZED", "initialization error"},
    {no_device, "CUDA_ERROR_NO_DEVICE", "no CUDA-capable device is detected"},
    {invalid_device, "CUDA_ERROR_INVALID_DEVICE", "invalid device ordinal"},
    {invalid_image, "CUDA_ERROR_INVALID_IMAGE", "device kernel image is invalid"},
    {invalid_context, "CUDA_ERROR_INVALID_CONTEXT", "invalid device context"},
    {no_binary_for_gpu, "CUDA_ERROR_NO_BINARY_FOR_GPU", "no kernel image is available for execution on the device"},
    {invalid_handle, "CUDA_ERROR_INVALID_HANDLE", "invalid resource handle"},
    {not_found, "CUDA_ERROR_NOT_FOUND", "named symbol not found"},
    {not_ready, "CUDA_ERROR_NOT_READY", "device not ready"},
    {illegal_address, "CUDA_ERROR_ILLEGAL_ADDRESS", "an illegal memory access was encountered"},
    {out_of_resources, "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES", "too many resources requested for launch"},
    {launch_failed, "CUDA_ERROR_LAUNCH_FAILED", "unspecified launch failure"},
    {not_permitted, "CUDA_ERROR_NOT_PERMITTED", "operation not permitted"},
    {214, "CUDA_ERROR_ECC_UNCORRECTABLE", "uncorrectable ECC error encountered"},
};
static const NamedStatus* named(CUresult status) {
  const auto* found =
      std::find_if(std::begin(statuses), std::end(statuses), [=](const NamedStatus& s) { return s.status == status; });
  return found == std::end(statuses) ? nullptr : found;
}
// "CUDA_ERROR_INVALID_VALUE will be returned and *pStr will be set to the NULL address" for what is no error's number.
GPUSIM_API cuGetErrorString(CUresult status, const char** text) {
  *text = named(status) == nullptr ? nullptr : named(status)->text;
  return *text == nullptr ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}
GPUSIM_API cuGetErrorName(CUresult status, const char** name) {
  *name = named(status) == nullptr ? nullptr : named(status)->name;
  return *name == nullptr ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

// The newest version that the caller knows of: all here are of CUDA 13's, so the versioned name is tried first.
GPUSIM_API cuGetProcAddress(const char* name, void** function, int, cuuint64_t,
                            CUdriverProcAddressQueryResult* result) {
  Dl_info self{};
  dladdr(reinterpret_cast<const void*>(&statuses), &self);
  void* library = dlopen(self.dli_fname, RTLD_NOW | RTLD_NOLOAD);
  *function = dlsym(library, (std::string(name) + "_v2").c_str());
  if (*function == nullptr) *function = dlsym(library, name);
  dlclose(library);
  if (result != nullptr) {
    *result = *function == nullptr ? CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND : CU_GET_PROC_ADDRESS_SUCCESS;
  }
  return *function == nullptr ? CUDA_ERROR_NOT_FOUND : CUDA_SUCCESS;
}

}  // extern "C"
