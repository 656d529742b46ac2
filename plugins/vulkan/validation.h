// validation.h: the Khronos validation layer, and what it says.
//
// Asked for by the option vulkan.validation or the environment's TENON_VULKAN_VALIDATION: a list of `standard`,
// `synchronization` and `gpu-assisted`, separated by '+', or `off`. Each message is logged as an error, and the first
// one since the last wait is the error of the next wait, so that no run in which the layer spoke can succeed. Messages
// may come from any thread.
#pragma once
#include <mutex>
#include <optional>
#include <vector>

#include "api.h"

namespace tenon::vulkan {

class Validation {
 public:
  /// Throws KernelError for words that are not known.
  explicit Validation(std::string_view wanted);

  bool on() const { return on_; }
  bool gpu_assisted() const { return gpu_assisted_; }
  /// Chained to VkInstanceCreateInfo; lives as long as this.
  const void* chain() const { return &messenger_; }

  /// Takes the first message since the last call.
  std::optional<std::string> message();
  /// Throws that message as an error.
  void raise();

  const VkDebugUtilsMessengerCreateInfoEXT& messenger() const { return messenger_; }

 private:
  void take(std::string_view word);
  void hear(const char* words);
  static VKAPI_ATTR VkBool32 VKAPI_CALL said(VkDebugUtilsMessageSeverityFlagBitsEXT, VkDebugUtilsMessageTypeFlagsEXT,
                                             const VkDebugUtilsMessengerCallbackDataEXT* data, void* self);

  bool on_ = false, gpu_assisted_ = false;
  std::vector<VkValidationFeatureEnableEXT> enabled_;
  VkValidationFeaturesEXT features_{};
  VkDebugUtilsMessengerCreateInfoEXT messenger_{};
  std::mutex mutex_;
  std::optional<std::string> first_;
};

}  // namespace tenon::vulkan
