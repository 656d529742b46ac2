#include "gpus.h"

#include <cstring>

#include "bridge.h"

namespace tenon::metal {
namespace {

/// The newest family of Apple's GPUs, or what else there is to say.
std::string architecture_of(id<MTLDevice> device) {
  for (NSInteger generation = 9; generation >= 1; --generation) {
    if ([device supportsFamily:static_cast<MTLGPUFamily>(MTLGPUFamilyApple1 - 1 + generation)])
      return plugin::text("Apple", static_cast<std::int64_t>(generation));
  }
  return [device supportsFamily:MTLGPUFamilyMac2] ? "Mac2" : "Mac";
}

Gpu examine(id<MTLDevice> device, std::uint32_t ordinal) {
  Gpu gpu;
  gpu.ordinal = ordinal;
  gpu.name = words_of(device.name);
  gpu.driver = plugin::text("macOS ", words_of(NSProcessInfo.processInfo.operatingSystemVersionString));
  gpu.architecture = architecture_of(device);
  gpu.registry_id = device.registryID;
  gpu.memory_bytes = device.recommendedMaxWorkingSetSize;
  gpu.max_buffer_bytes = device.maxBufferLength;
  gpu.unified = device.hasUnifiedMemory;
  gpu.device = hold(device);
  return gpu;
}

Gpu nothing() {
  Gpu gpu;
  gpu.name = "no Metal device";
  gpu.usable = TENON_REASON_NO_DEVICE;
  gpu.why_unusable = "Metal lists no device: a process without a GPU, such as one in a virtual machine";
  return gpu;
}

}  // namespace

std::vector<std::unique_ptr<Gpu>> list_gpus() {
  std::vector<std::unique_ptr<Gpu>> gpus;
  with_pool([&] {
    NSArray<id<MTLDevice>>* devices = MTLCopyAllDevices();
    for (NSUInteger i = 0; i < devices.count; ++i) {
      gpus.push_back(
          std::make_unique<Gpu>(examine([devices objectAtIndex:i], static_cast<std::uint32_t>(gpus.size()))));
    }
  });
  if (gpus.empty()) gpus.push_back(std::make_unique<Gpu>(nothing()));
  return gpus;
}

tenon_device_info facts_of(const Gpu& gpu) {
  tenon_device_info info{};
  info.size = sizeof info;
  info.ordinal = gpu.ordinal;
  info.device_class = TENON_CLASS_GPU;
  info.kind = "metal";
  info.name = gpu.name.c_str();
  info.driver = gpu.driver.c_str();
  info.architecture = gpu.architecture.c_str();
  info.base_alignment_bytes = info.offset_alignment_bytes = tensor_alignment;
  info.native_float = plugin::dtype_of<float>;
  info.memory_domain = "metal";
  info.usable = gpu.usable;
  if (gpu.usable != 0) {
    info.why_unusable = gpu.why_unusable.c_str();
    return info;
  }
  info.flags = TENON_DEVICE_TIMESTAMPS | (gpu.unified ? TENON_DEVICE_UNIFIED_MEMORY : 0u);
  std::memcpy(info.uuid, &gpu.registry_id, sizeof gpu.registry_id);
  info.memory_bytes = gpu.memory_bytes;
  info.max_allocation_bytes = info.max_binding_bytes = gpu.max_buffer_bytes;
  info.max_elements = max_elements;
  return info;
}

}  // namespace tenon::metal
