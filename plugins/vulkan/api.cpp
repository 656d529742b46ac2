#include "api.h"

#include <dlfcn.h>

namespace tenon::vulkan {
namespace {

template <class Function>
Function found(PFN_vkVoidFunction function, const char* name) {
  if (function == nullptr) plugin::refuse("[vulkan] the driver has no ", std::string_view(name));
  return reinterpret_cast<Function>(function);
}

}  // namespace

// The library stays open: drivers leave threads and handlers behind that do not survive its end.
Loader::Loader() {
  void* library = dlopen("libvulkan.so.1", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    const char* words = dlerror();
    trouble = plugin::text("the Vulkan loader cannot be opened: ", std::string_view(words == nullptr ? "" : words),
                           ": install the GPU's Vulkan driver and its loader (Debian: libvulkan1)");
    return;
  }
  GetInstanceProcAddr = reinterpret_cast<PFN_vkGetInstanceProcAddr>(dlsym(library, "vkGetInstanceProcAddr"));
  if (GetInstanceProcAddr == nullptr) {
    trouble = "libvulkan.so.1 has no vkGetInstanceProcAddr: install the Vulkan loader anew (Debian: libvulkan1)";
    return;
  }
#define TENON_VULKAN_LOAD(name) name = reinterpret_cast<PFN_vk##name>(GetInstanceProcAddr(nullptr, "vk" #name));
  TENON_VULKAN_GLOBAL_FUNCTIONS(TENON_VULKAN_LOAD)
#undef TENON_VULKAN_LOAD
  if (CreateInstance != nullptr && EnumerateInstanceVersion != nullptr) return;
  trouble = "libvulkan.so.1 is older than Vulkan 1.1: update the Vulkan loader";
  reason = TENON_REASON_DRIVER_TOO_OLD;
}

InstanceFunctions Loader::functions_of(VkInstance instance) const {
  InstanceFunctions f;
#define TENON_VULKAN_LOAD(name) f.name = found<PFN_vk##name>(GetInstanceProcAddr(instance, "vk" #name), "vk" #name);
  TENON_VULKAN_INSTANCE_FUNCTIONS(TENON_VULKAN_LOAD)
#undef TENON_VULKAN_LOAD
  return f;
}

DeviceFunctions functions_of(const InstanceFunctions& instance, VkDevice device) {
  DeviceFunctions f;
#define TENON_VULKAN_LOAD(name) \
  f.name = found<PFN_vk##name>(instance.GetDeviceProcAddr(device, "vk" #name), "vk" #name);
  TENON_VULKAN_DEVICE_FUNCTIONS(TENON_VULKAN_LOAD)
#undef TENON_VULKAN_LOAD
  return f;
}

std::string name_of(VkResult result) {
  switch (result) {
#define TENON_VULKAN_NAME(name) \
  case name:                    \
    return #name;
    TENON_VULKAN_NAME(VK_SUCCESS)
    TENON_VULKAN_NAME(VK_NOT_READY)
    TENON_VULKAN_NAME(VK_TIMEOUT)
    TENON_VULKAN_NAME(VK_ERROR_OUT_OF_HOST_MEMORY)
    TENON_VULKAN_NAME(VK_ERROR_OUT_OF_DEVICE_MEMORY)
    TENON_VULKAN_NAME(VK_ERROR_INITIALIZATION_FAILED)
    TENON_VULKAN_NAME(VK_ERROR_DEVICE_LOST)
    TENON_VULKAN_NAME(VK_ERROR_MEMORY_MAP_FAILED)
    TENON_VULKAN_NAME(VK_ERROR_LAYER_NOT_PRESENT)
    TENON_VULKAN_NAME(VK_ERROR_EXTENSION_NOT_PRESENT)
    TENON_VULKAN_NAME(VK_ERROR_FEATURE_NOT_PRESENT)
    TENON_VULKAN_NAME(VK_ERROR_INCOMPATIBLE_DRIVER)
    TENON_VULKAN_NAME(VK_ERROR_TOO_MANY_OBJECTS)
    TENON_VULKAN_NAME(VK_ERROR_FRAGMENTED_POOL)
    TENON_VULKAN_NAME(VK_ERROR_OUT_OF_POOL_MEMORY)
#undef TENON_VULKAN_NAME
    default:
      return plugin::text("VkResult ", static_cast<int>(result));
  }
}

std::int32_t status_of(VkResult result) {
  switch (result) {
    case VK_ERROR_OUT_OF_HOST_MEMORY:
    case VK_ERROR_OUT_OF_DEVICE_MEMORY:
    case VK_ERROR_TOO_MANY_OBJECTS:
      return TENON_ERROR_OUT_OF_MEMORY;
    case VK_ERROR_DEVICE_LOST:
      return TENON_ERROR_DEVICE_LOST;
    default:
      return TENON_ERROR;
  }
}

void check(VkResult result, std::string_view doing) {
  if (result >= 0) return;
  throw plugin::KernelError(status_of(result), plugin::text("[vulkan] ", doing, ": ", name_of(result)));
}

}  // namespace tenon::vulkan
