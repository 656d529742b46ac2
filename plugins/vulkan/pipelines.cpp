#include "pipelines.h"

namespace tenon::vulkan {

Pipelines::Pipelines(const DeviceFunctions& api, VkDevice device, const FloatControls& controls)
    : api_(api), device_(device), controls_(controls) {
  std::array<VkDescriptorSetLayoutBinding, max_bindings> bindings{};
  for (std::uint32_t i = 0; i < max_bindings; ++i)
    bindings[i] = {i, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, nullptr};
  auto set = make<VkDescriptorSetLayoutCreateInfo>(VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO);
  set.bindingCount = max_bindings;
  set.pBindings = bindings.data();
  const VkPushConstantRange push{VK_SHADER_STAGE_COMPUTE_BIT, 0, max_push_bytes};
  const auto cache = make<VkPipelineCacheCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO);
  try {
    check(api_.CreateDescriptorSetLayout(device_, &set, nullptr, &set_layout_), "creating the layout of bindings");
    auto info = make<VkPipelineLayoutCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO);
    info.setLayoutCount = 1;
    info.pSetLayouts = &set_layout_;
    info.pushConstantRangeCount = 1;
    info.pPushConstantRanges = &push;
    check(api_.CreatePipelineLayout(device_, &info, nullptr, &layout_), "creating the layout of pipelines");
    check(api_.CreatePipelineCache(device_, &cache, nullptr, &cache_), "creating the cache of pipelines");
  } catch (...) {
    destroy();
    throw;
  }
}

Pipelines::~Pipelines() { destroy(); }

void Pipelines::destroy() {
  for (const auto& [key, pipeline] : pipelines_) api_.DestroyPipeline(device_, pipeline, nullptr);
  if (cache_ != VK_NULL_HANDLE) api_.DestroyPipelineCache(device_, cache_, nullptr);
  if (layout_ != VK_NULL_HANDLE) api_.DestroyPipelineLayout(device_, layout_, nullptr);
  if (set_layout_ != VK_NULL_HANDLE) api_.DestroyDescriptorSetLayout(device_, set_layout_, nullptr);
}

VkPipeline Pipelines::get(std::uint32_t shader, bool binary64, const Constants& constants) {
  const Key key{shader, binary64, constants};
  const std::lock_guard lock(mutex_);
  const auto found = pipelines_.try_emplace(key, VK_NULL_HANDLE).first;
  if (found->second == VK_NULL_HANDLE) {
    try {
      found->second = compile(key);
    } catch (...) {
      pipelines_.erase(found);
      throw;
    }
  }
  return found->second;
}

VkPipeline Pipelines::compile(const Key& key) {
  const Shader& shader = shaders[key.shader];
  const std::vector<std::uint32_t> code = strict_module(key.binary64 ? shader.binary64 : shader.binary32, controls_);
  auto info = make<VkShaderModuleCreateInfo>(VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO);
  info.codeSize = code.size() * sizeof(std::uint32_t);
  info.pCode = code.data();
  VkShaderModule module = VK_NULL_HANDLE;
  check(api_.CreateShaderModule(device_, &info, nullptr, &module), plugin::text("creating the module ", shader.name));
  try {
    const VkPipeline pipeline = compile(module, key);
    api_.DestroyShaderModule(device_, module, nullptr);
    return pipeline;
  } catch (...) {
    api_.DestroyShaderModule(device_, module, nullptr);
    throw;
  }
}

VkPipeline Pipelines::compile(VkShaderModule module, const Key& key) {
  constexpr std::uint32_t word = sizeof(std::uint32_t);
  const VkSpecializationMapEntry entries[] = {{0, 0, word}, {1, word, word}, {2, 2 * word, word}};
  const VkSpecializationInfo constants{std::size(entries), entries, sizeof key.constants, key.constants.data()};
  auto info = make<VkComputePipelineCreateInfo>(VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO);
  info.stage = {VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                nullptr,
                0,
                VK_SHADER_STAGE_COMPUTE_BIT,
                module,
                "main",
                &constants};
  info.layout = layout_;
  VkPipeline pipeline = VK_NULL_HANDLE;
  check(api_.CreateComputePipelines(device_, cache_, 1, &info, nullptr, &pipeline),
        plugin::text("compiling the shader ", shaders[key.shader].name));
  return pipeline;
}

}  // namespace tenon::vulkan
