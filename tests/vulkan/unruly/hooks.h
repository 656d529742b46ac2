// hooks.h: what the layer does to single functions; every other one is passed on as it is.
#pragma once
#include "api.h"
#include "ledger.h"

namespace tenon::unruly {

/// A function's name, as an argument of templates.
template <std::size_t Size>
struct FixedName {
  constexpr FixedName(const char (&text)[Size]) {  // NOLINT: meant to convert
    for (std::size_t i = 0; i < Size; ++i) characters[i] = text[i];
  }
  constexpr std::string_view view() const { return {characters, Size - 1}; }
  char characters[Size]{};
};

/// The functions of what lies below.
struct Functions : vulkan::InstanceFunctions, vulkan::DeviceFunctions {};
extern Functions down;
Ledger& ledger();
unsigned long long bytes_of_type(unsigned type);

/// The memory of a graphics card: its own, the host's in two kinds, and a window of its own that the host sees.
struct Discrete {
  static constexpr std::uint32_t own = 0, uncached = 1, cached = 2, window = 3;
  static constexpr VkDeviceSize offset_alignment = 256;
  static VkPhysicalDeviceMemoryProperties of(const VkPhysicalDeviceMemoryProperties& real);
};
inline bool discrete() {
  return ledger().plan([](const Plan& plan) { return plan.says("discrete"); });
}

template <FixedName Name>
struct Hook {
  template <class Down, class... Args>
  static auto call(Down function, Args... args) {
    return function(args...);
  }
};

#define TENON_UNRULY_HOOK(name, result, ...)                \
  template <>                                               \
  struct Hook<FixedName("" #name)> {                        \
    static result call(PFN_vk##name function, __VA_ARGS__); \
  }

TENON_UNRULY_HOOK(EnumeratePhysicalDevices, VkResult, VkInstance instance, std::uint32_t* count,
                  VkPhysicalDevice* devices);
TENON_UNRULY_HOOK(GetPhysicalDeviceProperties, void, VkPhysicalDevice device, VkPhysicalDeviceProperties* properties);
TENON_UNRULY_HOOK(GetPhysicalDeviceProperties2, void, VkPhysicalDevice device, VkPhysicalDeviceProperties2* properties);
TENON_UNRULY_HOOK(GetPhysicalDeviceFeatures2, void, VkPhysicalDevice device, VkPhysicalDeviceFeatures2* features);
TENON_UNRULY_HOOK(GetPhysicalDeviceMemoryProperties, void, VkPhysicalDevice device,
                  VkPhysicalDeviceMemoryProperties* properties);
TENON_UNRULY_HOOK(GetBufferMemoryRequirements, void, VkDevice device, VkBuffer buffer, VkMemoryRequirements* needed);
TENON_UNRULY_HOOK(AllocateMemory, VkResult, VkDevice device, const VkMemoryAllocateInfo* info,
                  const VkAllocationCallbacks* allocator, VkDeviceMemory* memory);
TENON_UNRULY_HOOK(FreeMemory, void, VkDevice device, VkDeviceMemory memory, const VkAllocationCallbacks* allocator);
TENON_UNRULY_HOOK(MapMemory, VkResult, VkDevice device, VkDeviceMemory memory, VkDeviceSize offset, VkDeviceSize bytes,
                  VkMemoryMapFlags flags, void** mapped);
TENON_UNRULY_HOOK(CreateShaderModule, VkResult, VkDevice device, const VkShaderModuleCreateInfo* info,
                  const VkAllocationCallbacks* allocator, VkShaderModule* module);
TENON_UNRULY_HOOK(UpdateDescriptorSets, void, VkDevice device, std::uint32_t count, const VkWriteDescriptorSet* writes,
                  std::uint32_t copy_count, const VkCopyDescriptorSet* copies);
TENON_UNRULY_HOOK(CmdCopyBuffer, void, VkCommandBuffer commands, VkBuffer from, VkBuffer to, std::uint32_t count,
                  const VkBufferCopy* regions);
TENON_UNRULY_HOOK(CmdFillBuffer, void, VkCommandBuffer commands, VkBuffer to, VkDeviceSize offset, VkDeviceSize bytes,
                  std::uint32_t word);
TENON_UNRULY_HOOK(CmdPipelineBarrier, void, VkCommandBuffer commands, VkPipelineStageFlags from,
                  VkPipelineStageFlags to, VkDependencyFlags flags, std::uint32_t memory_count,
                  const VkMemoryBarrier* memory, std::uint32_t buffer_count, const VkBufferMemoryBarrier* buffers,
                  std::uint32_t image_count, const VkImageMemoryBarrier* images);
TENON_UNRULY_HOOK(EndCommandBuffer, VkResult, VkCommandBuffer commands);
TENON_UNRULY_HOOK(CmdBindPipeline, void, VkCommandBuffer commands, VkPipelineBindPoint point, VkPipeline pipeline);
TENON_UNRULY_HOOK(CmdPushConstants, void, VkCommandBuffer commands, VkPipelineLayout layout, VkShaderStageFlags stages,
                  std::uint32_t offset, std::uint32_t bytes, const void* values);
#undef TENON_UNRULY_HOOK

}  // namespace tenon::unruly
