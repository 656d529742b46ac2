#include "validation.h"

namespace tenon::vulkan {

Validation::Validation(std::string_view wanted) {
  for (std::size_t begin = 0; wanted != "off" && begin <= wanted.size();) {
    const std::size_t end = std::min(wanted.find('+', begin), wanted.size());
    take(wanted.substr(begin, end - begin));
    begin = end + 1;
  }
  features_ = {VK_STRUCTURE_TYPE_VALIDATION_FEATURES_EXT,
               nullptr,
               static_cast<std::uint32_t>(enabled_.size()),
               enabled_.data(),
               0,
               nullptr};
  messenger_.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT;
  messenger_.pNext = &features_;
  messenger_.messageSeverity =
      VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT | VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT;
  messenger_.messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT;
  messenger_.pfnUserCallback = said;
  messenger_.pUserData = this;
}

void Validation::take(std::string_view word) {
  on_ = true;
  if (word == "standard") return;
  if (word == "synchronization") {
    enabled_.push_back(VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT);
  } else if (word == "gpu-assisted") {
    gpu_assisted_ = true;
    enabled_.push_back(VK_VALIDATION_FEATURE_ENABLE_GPU_ASSISTED_EXT);
    enabled_.push_back(VK_VALIDATION_FEATURE_ENABLE_GPU_ASSISTED_RESERVE_BINDING_SLOT_EXT);
  } else {
    plugin::refuse("[vulkan] option validation: found \"", word,
                   "\", expected off, or of standard, synchronization and gpu-assisted those wanted, joined by +");
  }
}

VKAPI_ATTR VkBool32 VKAPI_CALL Validation::said(VkDebugUtilsMessageSeverityFlagBitsEXT, VkDebugUtilsMessageTypeFlagsEXT,
                                                const VkDebugUtilsMessengerCallbackDataEXT* data, void* self) {
  static_cast<void>(plugin::guard([&] { static_cast<Validation*>(self)->hear(data->pMessage); }));
  return VK_FALSE;
}

void Validation::hear(const char* words) {
  if (plugin::host != nullptr && plugin::host->log != nullptr) plugin::host->log(TENON_LOG_ERROR, "vulkan", words);
  const std::lock_guard lock(mutex_);
  if (!first_) first_ = words;
}

std::optional<std::string> Validation::message() {
  const std::lock_guard lock(mutex_);
  return std::exchange(first_, std::nullopt);
}

void Validation::raise() {
  if (!on_) return;
  if (const auto words = message()) throw plugin::KernelError(TENON_ERROR, "[vulkan] the validation layer: " + *words);
}

}  // namespace tenon::vulkan
