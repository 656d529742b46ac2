// instance.h: Vulkan's instance and the devices that it sees.
//
// Made when the host first asks for devices, and ended at shutdown, after every device was closed. A machine without
// Vulkan has one device that cannot be used, and says why. Threads: any.
#pragma once
#include <memory>
#include <vector>

#include "spirv.h"
#include "validation.h"

namespace tenon::vulkan {

/// A physical device, as it is found out once.
struct PhysicalDevice {
  VkPhysicalDevice handle = VK_NULL_HANDLE;
  std::uint32_t ordinal = 0, queue_family = 0;
  VkPhysicalDeviceProperties properties{};
  VkPhysicalDeviceMemoryProperties memory{};
  std::uint8_t uuid[VK_UUID_SIZE]{};
  std::uint64_t max_allocation_bytes = 0;
  std::uint32_t timestamp_bits = 0;
  FloatControls float_controls;
  std::string driver;
  std::int32_t usable = 0;  // 0 or a TENON_REASON_
  std::string why_unusable;

  bool software() const { return properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU; }
  std::uint64_t device_memory_bytes() const;
};

class Instance {
 public:
  Instance(const Loader& loader, Validation& validation);
  ~Instance();
  Instance(const Instance&) = delete;
  Instance& operator=(const Instance&) = delete;

  const InstanceFunctions& api() const { return api_; }
  Validation& validation() const { return validation_; }
  /// At least one: where there is none, or no driver, one that cannot be used.
  const std::vector<PhysicalDevice>& devices() const { return devices_; }
  const PhysicalDevice& device(std::uint32_t ordinal) const;

 private:
  void create(const Loader& loader);
  void listen(const Loader& loader);
  void destroy();
  void find_devices();
  PhysicalDevice examine(VkPhysicalDevice handle) const;
  void examine_core(PhysicalDevice& device) const;
  void examine_features(PhysicalDevice& device) const;
  void nothing(std::int32_t reason, std::string words);

  Validation& validation_;
  VkInstance instance_ = VK_NULL_HANDLE;
  InstanceFunctions api_;
  VkDebugUtilsMessengerEXT messenger_ = VK_NULL_HANDLE;
  PFN_vkDestroyDebugUtilsMessengerEXT destroy_messenger_ = nullptr;
  std::vector<PhysicalDevice> devices_;
};

/// What the ABI's table of facts says of a device; strings live as long as `device`.
tenon_device_info facts_of(const PhysicalDevice& device);

/// Tensors may begin at multiples of this, if the device does not want more.
inline constexpr std::uint32_t tensor_alignment = 64;

/// Buffers that one kernel may read and write.
inline constexpr std::uint32_t max_bindings = 8;
inline constexpr std::uint32_t max_push_bytes = 128;

}  // namespace tenon::vulkan
