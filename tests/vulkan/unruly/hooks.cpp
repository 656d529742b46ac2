#include "hooks.h"

#include <algorithm>
#include <cstring>

namespace tenon::unruly {
namespace {

template <class Handle>
std::uint64_t number(Handle handle) {
  return (std::uint64_t)(handle);  // NOLINT: a pointer or a number, as Vulkan has it
}

long planned(const char* word, long otherwise, std::size_t at = 0) {
  return ledger().plan([&](const Plan& plan) { return plan.number(word, at, otherwise); });
}
bool lacks(const char* feature) {
  return ledger().plan([&](const Plan& plan) { return plan.names("lacks", feature); });
}

// -- memory: which type each allocation has, as the plugin knows the types

struct Allocation {
  std::uint32_t type;
  VkDeviceSize bytes;
};
std::mutex allocations_mutex;
std::map<std::uint64_t, Allocation> allocations;
std::set<std::uint64_t> reaching_the_host;  // command buffers whose last barrier was one towards the host

/// Finds a struct of this type behind `chain`.
template <class Struct>
Struct* chained(void* chain, VkStructureType type) {
  for (auto* at = static_cast<VkBaseOutStructure*>(chain); at != nullptr; at = at->pNext) {
    if (at->sType == type) return reinterpret_cast<Struct*>(at);
  }
  return nullptr;
}

}  // namespace

unsigned long long bytes_of_type(unsigned type) {
  const std::lock_guard lock(allocations_mutex);
  unsigned long long bytes = 0;
  for (const auto& [memory, allocation] : allocations) bytes += allocation.type == type ? allocation.bytes : 0;
  return bytes;
}

VkPhysicalDeviceMemoryProperties Discrete::of(const VkPhysicalDeviceMemoryProperties& real) {
  constexpr VkMemoryPropertyFlags device = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT,
                                  host = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
  VkPhysicalDeviceMemoryProperties made{};
  made.memoryHeapCount = 3;
  made.memoryHeaps[0] = {real.memoryHeaps[0].size, VK_MEMORY_HEAP_DEVICE_LOCAL_BIT};
  made.memoryHeaps[1] = {real.memoryHeaps[0].size, 0};
  made.memoryHeaps[2] = {256u << 20, VK_MEMORY_HEAP_DEVICE_LOCAL_BIT};
  made.memoryTypeCount = 4;
  made.memoryTypes[own] = {device, 0};
  made.memoryTypes[uncached] = {host, 1};
  made.memoryTypes[cached] = {host | VK_MEMORY_PROPERTY_HOST_CACHED_BIT, 1};
  made.memoryTypes[window] = {device | host, 2};
  return made;
}

VkResult Hook<"EnumeratePhysicalDevices">::call(PFN_vkEnumeratePhysicalDevices function, VkInstance instance,
                                                std::uint32_t* count, VkPhysicalDevice* devices) {
  const auto times = static_cast<std::uint32_t>(planned("devices", 1));
  if (devices == nullptr) {
    const VkResult result = function(instance, count, nullptr);
    *count *= times;
    return result;
  }
  std::uint32_t real = times == 0 ? 0 : *count / times;
  if (real == 0) return *count = 0, VK_SUCCESS;
  const VkResult result = function(instance, &real, devices);
  for (std::uint32_t i = real; i < *count; ++i) devices[i] = devices[i % real];
  return result;
}

void Hook<"GetPhysicalDeviceProperties">::call(PFN_vkGetPhysicalDeviceProperties function, VkPhysicalDevice device,
                                               VkPhysicalDeviceProperties* properties) {
  function(device, properties);
  const int looked_at = ledger().examine();
  const int times = static_cast<int>(planned("devices", 1));
  if (times > 1)
    std::snprintf(properties->deviceName, sizeof properties->deviceName, "device number %d", looked_at % times);
  properties->apiVersion = static_cast<std::uint32_t>(planned("version", properties->apiVersion));
  if (!discrete()) return;
  properties->deviceType = VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU;
  properties->limits.minStorageBufferOffsetAlignment = Discrete::offset_alignment;
}

void Hook<"GetPhysicalDeviceProperties2">::call(PFN_vkGetPhysicalDeviceProperties2 function, VkPhysicalDevice device,
                                                VkPhysicalDeviceProperties2* properties) {
  const long version = planned("version", VK_API_VERSION_1_2);
  if (version < static_cast<long>(VK_API_VERSION_1_1)) ledger().fault("a driver of Vulkan 1.0 is asked as one of 1.1");
  function(device, properties);
}

void Hook<"GetPhysicalDeviceFeatures2">::call(PFN_vkGetPhysicalDeviceFeatures2 function, VkPhysicalDevice device,
                                              VkPhysicalDeviceFeatures2* features) {
  function(device, features);
  if (lacks("float64")) features->features.shaderFloat64 = VK_FALSE;
  if (lacks("int64")) features->features.shaderInt64 = VK_FALSE;
  auto* core12 =
      chained<VkPhysicalDeviceVulkan12Features>(features->pNext, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES);
  if (lacks("timeline") && core12 != nullptr) core12->timelineSemaphore = VK_FALSE;
}

void Hook<"GetPhysicalDeviceMemoryProperties">::call(PFN_vkGetPhysicalDeviceMemoryProperties function,
                                                     VkPhysicalDevice device,
                                                     VkPhysicalDeviceMemoryProperties* properties) {
  function(device, properties);
  if (discrete()) *properties = Discrete::of(*properties);
}

void Hook<"GetBufferMemoryRequirements">::call(PFN_vkGetBufferMemoryRequirements function, VkDevice device,
                                               VkBuffer buffer, VkMemoryRequirements* needed) {
  function(device, buffer, needed);
  if (!discrete()) return;
  needed->memoryTypeBits = 0xf;
  needed->alignment = std::max(needed->alignment, Discrete::offset_alignment);
}

VkResult Hook<"AllocateMemory">::call(PFN_vkAllocateMemory function, VkDevice device, const VkMemoryAllocateInfo* info,
                                      const VkAllocationCallbacks* allocator, VkDeviceMemory* memory) {
  VkMemoryAllocateInfo real = *info;
  if (discrete()) real.memoryTypeIndex = 0;
  const VkResult result = function(device, &real, allocator, memory);
  const std::lock_guard lock(allocations_mutex);
  if (result == VK_SUCCESS) allocations[number(*memory)] = {info->memoryTypeIndex, info->allocationSize};
  return result;
}

void Hook<"FreeMemory">::call(PFN_vkFreeMemory function, VkDevice device, VkDeviceMemory memory,
                              const VkAllocationCallbacks* allocator) {
  {
    const std::lock_guard lock(allocations_mutex);
    allocations.erase(number(memory));
  }
  function(device, memory, allocator);
}

VkResult Hook<"MapMemory">::call(PFN_vkMapMemory function, VkDevice device, VkDeviceMemory memory, VkDeviceSize offset,
                                 VkDeviceSize bytes, VkMemoryMapFlags flags, void** mapped) {
  const auto type = [&] {
    const std::lock_guard lock(allocations_mutex);
    return allocations.at(number(memory)).type;
  }();
  if (discrete() && type == Discrete::own) {
    ledger().fault("memory was mapped that the host does not see");
    return VK_ERROR_MEMORY_MAP_FAILED;
  }
  return function(device, memory, offset, bytes, flags, mapped);
}

VkResult Hook<"CreateShaderModule">::call(PFN_vkCreateShaderModule function, VkDevice device,
                                          const VkShaderModuleCreateInfo* info, const VkAllocationCallbacks* allocator,
                                          VkShaderModule* module) {
  constexpr std::size_t header_words = 5;
  const auto from = static_cast<std::uint32_t>(planned("wrong", 0, 0)),
             to = static_cast<std::uint32_t>(planned("wrong", 0, 1));
  std::vector<std::uint32_t> words(info->pCode, info->pCode + info->codeSize / sizeof(std::uint32_t));
  for (std::size_t at = header_words; from != 0 && at < words.size(); at += words[at] >> 16) {
    if ((words[at] & 0xffff) == from) words[at] = (words[at] & 0xffff0000u) | to;
  }
  VkShaderModuleCreateInfo changed = *info;
  changed.pCode = words.data();
  return function(device, &changed, allocator, module);
}

void Hook<"UpdateDescriptorSets">::call(PFN_vkUpdateDescriptorSets function, VkDevice device, std::uint32_t count,
                                        const VkWriteDescriptorSet* writes, std::uint32_t copy_count,
                                        const VkCopyDescriptorSet* copies) {
  const bool card = discrete();
  for (std::uint32_t w = 0; w < count; ++w) {
    for (std::uint32_t i = 0; i < writes[w].descriptorCount; ++i) {
      const VkDescriptorBufferInfo& bound = writes[w].pBufferInfo[i];
      ledger().use("Buffer", number(bound.buffer), "UpdateDescriptorSets");
      if (card && bound.offset % Discrete::offset_alignment != 0)
        ledger().fault("a descriptor begins at " + std::to_string(bound.offset) + ", not a multiple of 256");
    }
  }
  function(device, count, writes, copy_count, copies);
}

void Hook<"CmdPushConstants">::call(PFN_vkCmdPushConstants function, VkCommandBuffer commands, VkPipelineLayout layout,
                                    VkShaderStageFlags stages, std::uint32_t offset, std::uint32_t bytes,
                                    const void* values) {
  std::vector<std::uint32_t> words(bytes / sizeof(std::uint32_t));
  std::memcpy(words.data(), values, bytes);
  if (!words.empty()) words.front() += static_cast<std::uint32_t>(planned("beyond", 0));
  function(commands, layout, stages, offset, bytes, words.data());
}

void Hook<"CmdCopyBuffer">::call(PFN_vkCmdCopyBuffer function, VkCommandBuffer commands, VkBuffer from, VkBuffer to,
                                 std::uint32_t count, const VkBufferCopy* regions) {
  ledger().use("Buffer", number(from), "CmdCopyBuffer");
  ledger().use("Buffer", number(to), "CmdCopyBuffer");
  for (std::uint32_t i = 0; from == to && i < count; ++i) {
    const VkBufferCopy& r = regions[i];
    if (r.srcOffset < r.dstOffset + r.size && r.dstOffset < r.srcOffset + r.size) ledger().fault("a copy onto itself");
  }
  function(commands, from, to, count, regions);
}

void Hook<"CmdFillBuffer">::call(PFN_vkCmdFillBuffer function, VkCommandBuffer commands, VkBuffer to,
                                 VkDeviceSize offset, VkDeviceSize bytes, std::uint32_t word) {
  ledger().use("Buffer", number(to), "CmdFillBuffer");
  function(commands, to, offset, bytes, word);
}

void Hook<"CmdBindPipeline">::call(PFN_vkCmdBindPipeline function, VkCommandBuffer commands, VkPipelineBindPoint point,
                                   VkPipeline pipeline) {
  ledger().use("Pipeline", number(pipeline), "CmdBindPipeline");
  function(commands, point, pipeline);
}

void Hook<"CmdPipelineBarrier">::call(PFN_vkCmdPipelineBarrier function, VkCommandBuffer commands,
                                      VkPipelineStageFlags from, VkPipelineStageFlags to, VkDependencyFlags flags,
                                      std::uint32_t memory_count, const VkMemoryBarrier* memory,
                                      std::uint32_t buffer_count, const VkBufferMemoryBarrier* buffers,
                                      std::uint32_t image_count, const VkImageMemoryBarrier* images) {
  {
    const std::lock_guard lock(allocations_mutex);
    const bool host = memory_count == 1 && (to & VK_PIPELINE_STAGE_HOST_BIT) != 0 &&
                      (memory->dstAccessMask & VK_ACCESS_HOST_READ_BIT) != 0;
    if (host)
      reaching_the_host.insert(number(commands));
    else
      reaching_the_host.erase(number(commands));
  }
  function(commands, from, to, flags, memory_count, memory, buffer_count, buffers, image_count, images);
}

VkResult Hook<"EndCommandBuffer">::call(PFN_vkEndCommandBuffer function, VkCommandBuffer commands) {
  const auto reaches = [&] {
    const std::lock_guard lock(allocations_mutex);
    return reaching_the_host.erase(number(commands)) != 0;
  };
  const bool dropped = ledger().plan([](const Plan& plan) { return plan.says("drop"); });
  if (!dropped && !reaches()) ledger().fault("a batch ends without a barrier towards the host");
  return function(commands);
}

}  // namespace tenon::unruly
