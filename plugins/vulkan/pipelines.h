// pipelines.h: compute pipelines, made when a kernel is prepared and kept until the device is closed.
//
// One layout serves all: eight storage buffers and 128 bytes of push constants. A pipeline is told by its shader, the
// element type and its constants. Owned by the device; threads: any, one lock.
#pragma once
#include <array>
#include <map>
#include <mutex>

#include "instance.h"
#include "shaders.h"

namespace tenon::vulkan {

/// Values of the shader's constant_id 0, 1, 2; number 0 is the size of a workgroup along x.
using Constants = std::array<std::uint32_t, 3>;

class Pipelines {
 public:
  Pipelines(const DeviceFunctions& api, VkDevice device, const FloatControls& controls);
  ~Pipelines();
  Pipelines(const Pipelines&) = delete;
  Pipelines& operator=(const Pipelines&) = delete;

  VkDescriptorSetLayout set_layout() const { return set_layout_; }
  VkPipelineLayout layout() const { return layout_; }

  VkPipeline get(std::uint32_t shader, bool binary64, const Constants& constants);

 private:
  struct Key {
    std::uint32_t shader;
    bool binary64;
    Constants constants;
    auto operator<=>(const Key&) const = default;
  };
  VkPipeline compile(const Key& key);
  VkPipeline compile(VkShaderModule module, const Key& key);
  void destroy();

  const DeviceFunctions& api_;
  VkDevice device_;
  const FloatControls& controls_;
  VkDescriptorSetLayout set_layout_ = VK_NULL_HANDLE;
  VkPipelineLayout layout_ = VK_NULL_HANDLE;
  VkPipelineCache cache_ = VK_NULL_HANDLE;
  std::mutex mutex_;
  std::map<Key, VkPipeline> pipelines_;
};

}  // namespace tenon::vulkan
