// api.h: the functions of Vulkan that the plugin calls, found at run time in libvulkan.so.1.
//
// The plugin links no Vulkan: it loads everywhere, and says in words what a machine lacks. A Loader lives as long as
// the process; a table is a value. Threads: any; Vulkan's own rules hold for what the functions are given.
#pragma once
#define VK_NO_PROTOTYPES
#include <vulkan/vulkan_core.h>

#include "tenon/plugin.hpp"

namespace tenon::vulkan {

#define TENON_VULKAN_GLOBAL_FUNCTIONS(X) X(CreateInstance) X(EnumerateInstanceVersion)

#define TENON_VULKAN_INSTANCE_FUNCTIONS(X) \
  X(DestroyInstance)                       \
  X(EnumeratePhysicalDevices)              \
  X(GetPhysicalDeviceProperties)           \
  X(GetPhysicalDeviceProperties2)          \
  X(GetPhysicalDeviceFeatures2)            \
  X(GetPhysicalDeviceMemoryProperties) X(GetPhysicalDeviceQueueFamilyProperties) X(CreateDevice) X(GetDeviceProcAddr)

#define TENON_VULKAN_DEVICE_FUNCTIONS(X) \
  X(DestroyDevice)                       \
  X(GetDeviceQueue)                      \
  X(QueueSubmit)                         \
  X(AllocateMemory)                      \
  X(FreeMemory)                          \
  X(MapMemory)                           \
  X(CreateBuffer)                        \
  X(DestroyBuffer)                       \
  X(GetBufferMemoryRequirements)         \
  X(BindBufferMemory)                    \
  X(CreateSemaphore)                     \
  X(DestroySemaphore)                    \
  X(WaitSemaphores)                      \
  X(CreateDescriptorSetLayout)           \
  X(DestroyDescriptorSetLayout)          \
  X(CreatePipelineLayout)                \
  X(DestroyPipelineLayout)               \
  X(CreateShaderModule)                  \
  X(DestroyShaderModule)                 \
  X(CreateComputePipelines)              \
  X(DestroyPipeline)                     \
  X(CreatePipelineCache)                 \
  X(DestroyPipelineCache)                \
  X(CreateDescriptorPool)                \
  X(DestroyDescriptorPool)               \
  X(AllocateDescriptorSets)              \
  X(UpdateDescriptorSets)                \
  X(CreateCommandPool)                   \
  X(DestroyCommandPool)                  \
  X(AllocateCommandBuffers)              \
  X(BeginCommandBuffer)                  \
  X(EndCommandBuffer)                    \
  X(CmdBindPipeline)                     \
  X(CmdBindDescriptorSets)               \
  X(CmdPushConstants)                    \
  X(CmdDispatch)                         \
  X(CmdPipelineBarrier)                  \
  X(CmdCopyBuffer)                       \
  X(CmdFillBuffer)                       \
  X(CreateQueryPool) X(DestroyQueryPool) X(CmdResetQueryPool) X(CmdWriteTimestamp) X(GetQueryPoolResults)

#define TENON_VULKAN_MEMBER(name) PFN_vk##name name = nullptr;

struct InstanceFunctions {
  TENON_VULKAN_INSTANCE_FUNCTIONS(TENON_VULKAN_MEMBER)
};
struct DeviceFunctions {
  TENON_VULKAN_DEVICE_FUNCTIONS(TENON_VULKAN_MEMBER)
};

/// libvulkan.so.1, opened; `trouble` says why not, and `reason` is a TENON_REASON_ for it.
struct Loader {
  Loader();
  PFN_vkGetInstanceProcAddr GetInstanceProcAddr = nullptr;
  TENON_VULKAN_GLOBAL_FUNCTIONS(TENON_VULKAN_MEMBER)
  std::string trouble;
  std::int32_t reason = TENON_REASON_DRIVER_MISSING;

  InstanceFunctions functions_of(VkInstance instance) const;
};

DeviceFunctions functions_of(const InstanceFunctions& instance, VkDevice device);

#undef TENON_VULKAN_MEMBER

/// A struct of Vulkan's with nothing in it but its type and what it is chained to.
template <class Struct, class Next = void>
Struct make(VkStructureType type, Next* next = nullptr) {
  Struct made{};
  made.sType = type;
  made.pNext = next;
  return made;
}

// -- results ------------------------------------------------------------------------------------------------

/// VK_ERROR_... as Vulkan spells it.
std::string name_of(VkResult result);

/// The ABI's status of a result.
std::int32_t status_of(VkResult result);

/// Throws KernelError unless the result is a success: "[vulkan] creating a buffer: VK_ERROR_...".
void check(VkResult result, std::string_view doing);

}  // namespace tenon::vulkan
