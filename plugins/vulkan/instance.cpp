#include "instance.h"

#include <cstring>

namespace tenon::vulkan {
namespace {

constexpr std::uint32_t needed_version = VK_API_VERSION_1_2;

std::string version_text(std::uint32_t version) {
  return plugin::text(VK_API_VERSION_MAJOR(version), ".", VK_API_VERSION_MINOR(version), ".",
                      VK_API_VERSION_PATCH(version));
}

/// Where a device cannot treat the two widths apart, both are told or neither.
FloatControls::Widths widths(VkBool32 binary32, VkBool32 binary64, bool apart) {
  const bool both = binary32 && binary64;
  return apart ? FloatControls::Widths{binary32 == VK_TRUE, binary64 == VK_TRUE} : FloatControls::Widths{both, both};
}

FloatControls controls_of(const VkPhysicalDeviceFloatControlsProperties& p) {
  constexpr auto none = VK_SHADER_FLOAT_CONTROLS_INDEPENDENCE_NONE;
  return {widths(p.shaderDenormPreserveFloat32, p.shaderDenormPreserveFloat64, p.denormBehaviorIndependence != none),
          widths(p.shaderRoundingModeRTEFloat32, p.shaderRoundingModeRTEFloat64, p.roundingModeIndependence != none),
          widths(p.shaderSignedZeroInfNanPreserveFloat32, p.shaderSignedZeroInfNanPreserveFloat64, true)};
}

}  // namespace

Instance::Instance(const Loader& loader, Validation& validation) : validation_(validation) {
  if (!loader.trouble.empty()) {
    nothing(loader.reason, loader.trouble);
    return;
  }
  try {
    create(loader);
    if (instance_ != VK_NULL_HANDLE) find_devices();
  } catch (...) {
    destroy();
    throw;
  }
}

Instance::~Instance() { destroy(); }

void Instance::destroy() {
  if (messenger_ != VK_NULL_HANDLE) destroy_messenger_(instance_, messenger_, nullptr);
  if (api_.DestroyInstance != nullptr) api_.DestroyInstance(instance_, nullptr);
}

void Instance::create(const Loader& loader) {
  auto application = make<VkApplicationInfo>(VK_STRUCTURE_TYPE_APPLICATION_INFO);
  application.pEngineName = "tenon";
  application.apiVersion = needed_version;
  const char* layer = "VK_LAYER_KHRONOS_validation";
  const char* extensions[] = {VK_EXT_DEBUG_UTILS_EXTENSION_NAME, VK_EXT_VALIDATION_FEATURES_EXTENSION_NAME};
  auto info = make<VkInstanceCreateInfo>(VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO);
  info.pApplicationInfo = &application;
  if (validation_.on()) {
    info.pNext = validation_.chain();
    info.enabledLayerCount = 1;
    info.ppEnabledLayerNames = &layer;
    info.enabledExtensionCount = std::size(extensions);
    info.ppEnabledExtensionNames = extensions;
  }
  const VkResult result = loader.CreateInstance(&info, nullptr, &instance_);
  if (result == VK_ERROR_INCOMPATIBLE_DRIVER) {
    nothing(TENON_REASON_DRIVER_MISSING,
            "no Vulkan driver is installed (vkCreateInstance: VK_ERROR_INCOMPATIBLE_DRIVER): install that of the GPU");
    return;
  }
  if (result == VK_ERROR_LAYER_NOT_PRESENT) {
    plugin::refuse(
        "[vulkan] validation was asked for, and the layer VK_LAYER_KHRONOS_validation is not installed: "
        "install it (Debian: vulkan-validationlayers), or leave vulkan.validation at off");
  }
  check(result, "creating the instance");
  // First of all the one that ends it, should another one be missing.
  api_.DestroyInstance =
      reinterpret_cast<PFN_vkDestroyInstance>(loader.GetInstanceProcAddr(instance_, "vkDestroyInstance"));
  api_ = loader.functions_of(instance_);
  if (validation_.on()) listen(loader);
}

void Instance::listen(const Loader& loader) {
  const auto create_messenger = reinterpret_cast<PFN_vkCreateDebugUtilsMessengerEXT>(
      loader.GetInstanceProcAddr(instance_, "vkCreateDebugUtilsMessengerEXT"));
  destroy_messenger_ = reinterpret_cast<PFN_vkDestroyDebugUtilsMessengerEXT>(
      loader.GetInstanceProcAddr(instance_, "vkDestroyDebugUtilsMessengerEXT"));
  if (create_messenger == nullptr || destroy_messenger_ == nullptr)
    plugin::refuse("[vulkan] the validation layer has no ", VK_EXT_DEBUG_UTILS_EXTENSION_NAME, ": update it");
  VkDebugUtilsMessengerCreateInfoEXT messenger = validation_.messenger();
  messenger.pNext = nullptr;
  check(create_messenger(instance_, &messenger, nullptr, &messenger_), "listening to the validation layer");
}

void Instance::find_devices() {
  std::vector<VkPhysicalDevice> handles;
  VkResult result = VK_INCOMPLETE;
  while (result == VK_INCOMPLETE) {  // devices may come and go between the two calls
    std::uint32_t count = 0;
    result = api_.EnumeratePhysicalDevices(instance_, &count, nullptr);
    handles.resize(result == VK_SUCCESS ? count : 0);
    if (handles.empty()) break;
    result = api_.EnumeratePhysicalDevices(instance_, &count, handles.data());
    handles.resize(count);
  }
  if (result == VK_ERROR_INITIALIZATION_FAILED) {
    nothing(TENON_REASON_NO_DEVICE,
            plugin::text("the Vulkan driver that is installed does not start (vkEnumeratePhysicalDevices: ",
                         name_of(result), ")"));
    return;
  }
  check(result, "listing devices");
  for (std::uint32_t i = 0; i < handles.size(); ++i) {
    devices_.push_back(examine(handles[i]));
    devices_.back().ordinal = i;
  }
  if (devices_.empty()) nothing(TENON_REASON_NO_DEVICE, "the Vulkan drivers that are installed see no device");
}

PhysicalDevice Instance::examine(VkPhysicalDevice handle) const {
  PhysicalDevice device;
  device.handle = handle;
  api_.GetPhysicalDeviceProperties(handle, &device.properties);
  device.driver = plugin::text("Vulkan ", version_text(device.properties.apiVersion), ", driver ",
                               version_text(device.properties.driverVersion));
  if (device.properties.apiVersion < needed_version) {
    device.usable = TENON_REASON_DRIVER_TOO_OLD;
    device.why_unusable =
        plugin::text("the driver speaks Vulkan ", version_text(device.properties.apiVersion), ", needed is 1.2");
    return device;
  }
  examine_core(device);
  examine_features(device);
  return device;
}

void Instance::examine_core(PhysicalDevice& device) const {
  auto floats =
      make<VkPhysicalDeviceFloatControlsProperties>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FLOAT_CONTROLS_PROPERTIES);
  auto limits =
      make<VkPhysicalDeviceMaintenance3Properties>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_3_PROPERTIES, &floats);
  auto id = make<VkPhysicalDeviceIDProperties>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ID_PROPERTIES, &limits);
  auto properties = make<VkPhysicalDeviceProperties2>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, &id);
  api_.GetPhysicalDeviceProperties2(device.handle, &properties);
  device.max_allocation_bytes = limits.maxMemoryAllocationSize;
  std::memcpy(device.uuid, id.deviceUUID, sizeof device.uuid);
  device.float_controls = controls_of(floats);
  api_.GetPhysicalDeviceMemoryProperties(device.handle, &device.memory);
}

void Instance::examine_features(PhysicalDevice& device) const {
  const auto unusable = [&](std::int32_t reason, std::string words) {
    device.usable = reason;
    device.why_unusable = std::move(words);
  };
  auto features12 = make<VkPhysicalDeviceVulkan12Features>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES);
  auto features = make<VkPhysicalDeviceFeatures2>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, &features12);
  api_.GetPhysicalDeviceFeatures2(device.handle, &features);
  std::string lacks;
  if (!features.features.shaderFloat64) lacks += " shaderFloat64";
  if (!features.features.shaderInt64) lacks += " shaderInt64";
  if (!features12.timelineSemaphore) lacks += " timelineSemaphore";
  const VkPhysicalDeviceLimits& limits = device.properties.limits;
  if (limits.maxPerStageDescriptorStorageBuffers < max_bindings) lacks += " maxPerStageDescriptorStorageBuffers>=8";
  if (limits.maxPushConstantsSize < max_push_bytes) lacks += " maxPushConstantsSize>=128";
  if (!lacks.empty()) {
    unusable(TENON_REASON_NO_CODE_FOR_ARCH, "the kernels need what this device lacks:" + lacks);
    return;
  }
  std::uint32_t count = 0;
  api_.GetPhysicalDeviceQueueFamilyProperties(device.handle, &count, nullptr);
  std::vector<VkQueueFamilyProperties> families(count);
  api_.GetPhysicalDeviceQueueFamilyProperties(device.handle, &count, families.data());
  const auto computes = [](const VkQueueFamilyProperties& f) { return (f.queueFlags & VK_QUEUE_COMPUTE_BIT) != 0; };
  const auto family = std::find_if(families.begin(), families.end(), computes);
  if (family == families.end()) {
    unusable(TENON_REASON_NO_DEVICE, "no queue of this device computes");
    return;
  }
  device.queue_family = static_cast<std::uint32_t>(family - families.begin());
  device.timestamp_bits = family->timestampValidBits;
}

void Instance::nothing(std::int32_t reason, std::string words) {
  PhysicalDevice device;
  device.usable = reason;
  device.why_unusable = std::move(words);
  std::strcpy(device.properties.deviceName, "no Vulkan device");
  devices_.push_back(std::move(device));
}

const PhysicalDevice& Instance::device(std::uint32_t ordinal) const {
  if (ordinal >= devices_.size()) {
    plugin::refuse("[vulkan] there is no device vulkan:", ordinal, ": the last one is vulkan:", devices_.size() - 1);
  }
  const PhysicalDevice& device = devices_[ordinal];
  if (device.usable != 0) throw plugin::KernelError(TENON_ERROR, "[vulkan] " + device.why_unusable);
  return device;
}

std::uint64_t PhysicalDevice::device_memory_bytes() const {
  std::uint64_t bytes = 0;
  for (std::uint32_t i = 0; i < memory.memoryHeapCount; ++i) {
    if ((memory.memoryHeaps[i].flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT) != 0)
      bytes = std::max(bytes, memory.memoryHeaps[i].size);
  }
  return bytes;
}

tenon_device_info facts_of(const PhysicalDevice& device) {
  const VkPhysicalDeviceLimits& limits = device.properties.limits;
  tenon_device_info info{};
  info.size = sizeof info;
  info.ordinal = device.ordinal;
  info.device_class = TENON_CLASS_GPU;
  info.kind = "vulkan";
  info.name = device.properties.deviceName;
  info.driver = device.driver.c_str();
  info.architecture = "SPIR-V 1.5";
  info.base_alignment_bytes = info.offset_alignment_bytes = tensor_alignment;
  info.native_float = plugin::dtype_of<float>;
  info.memory_domain = "vulkan";
  info.usable = device.usable;
  if (device.usable != 0) {
    info.why_unusable = device.why_unusable.c_str();
    return info;
  }
  info.flags = TENON_DEVICE_BINARY64;
  if (device.software()) info.flags |= TENON_DEVICE_SOFTWARE;
  if (device.timestamp_bits != 0) info.flags |= TENON_DEVICE_TIMESTAMPS;
  if (device.properties.deviceType != VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU) info.flags |= TENON_DEVICE_UNIFIED_MEMORY;
  std::memcpy(info.uuid, device.uuid, sizeof info.uuid);
  info.memory_bytes = device.device_memory_bytes();
  info.max_allocation_bytes = device.max_allocation_bytes;
  info.max_binding_bytes = limits.maxStorageBufferRange;
  info.max_elements = std::uint64_t{1} << 31;  // kernels count in 32 bits
  info.base_alignment_bytes = info.offset_alignment_bytes =
      std::max(tensor_alignment, static_cast<std::uint32_t>(limits.minStorageBufferOffsetAlignment));
  return info;
}

}  // namespace tenon::vulkan
