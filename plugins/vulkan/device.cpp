#include "device.h"

#include <cstring>

#include "stream.h"

namespace tenon::vulkan {

Device::Device(Instance& instance, std::uint32_t ordinal, std::uint64_t cookie)
    : instance_(instance), physical_(instance.device(ordinal)), cookie_(cookie) {
  try {
    create(instance.api());
  } catch (...) {
    destroy();
    throw;
  }
}

void Device::create(const InstanceFunctions& instance) {
  const float priority = 1;
  auto queue = make<VkDeviceQueueCreateInfo>(VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO);
  queue.queueFamilyIndex = physical_.queue_family;
  queue.queueCount = 1;
  queue.pQueuePriorities = &priority;
  auto available12 = make<VkPhysicalDeviceVulkan12Features>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES);
  auto available = make<VkPhysicalDeviceFeatures2>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, &available12);
  instance.GetPhysicalDeviceFeatures2(physical_.handle, &available);
  auto features12 = make<VkPhysicalDeviceVulkan12Features>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES);
  features12.timelineSemaphore = VK_TRUE;
  auto features = make<VkPhysicalDeviceFeatures2>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, &features12);
  features.features.shaderFloat64 = VK_TRUE;
  features.features.shaderInt64 = VK_TRUE;
  if (validation().gpu_assisted()) {  // what the layer's own instructions in the shaders need
    features.features.vertexPipelineStoresAndAtomics = available.features.vertexPipelineStoresAndAtomics;
    features.features.fragmentStoresAndAtomics = available.features.fragmentStoresAndAtomics;
    features12.bufferDeviceAddress = available12.bufferDeviceAddress;
  }
  auto info = make<VkDeviceCreateInfo>(VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO, &features);
  info.queueCreateInfoCount = 1;
  info.pQueueCreateInfos = &queue;
  check(instance.CreateDevice(physical_.handle, &info, nullptr, &device_), "opening the device");
  // First of all the one that ends it, should another one be missing.
  api_.DestroyDevice = reinterpret_cast<PFN_vkDestroyDevice>(instance.GetDeviceProcAddr(device_, "vkDestroyDevice"));
  api_ = functions_of(instance, device_);
  api_.GetDeviceQueue(device_, physical_.queue_family, 0, &queue_);
  auto type = make<VkSemaphoreTypeCreateInfo>(VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO);
  type.semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE;
  const auto semaphore = make<VkSemaphoreCreateInfo>(VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO, &type);
  check(api_.CreateSemaphore(device_, &semaphore, nullptr, &timeline_), "creating the timeline");
  memory_ = std::make_unique<Memory>(api_, device_, physical_);
  pipelines_ = std::make_unique<Pipelines>(api_, device_, physical_.float_controls);
  nothing_ = memory_->allocate(256, 1, Memory::Place::device);
}

Device::~Device() { destroy(); }

void Device::destroy() {
  if (device_ == VK_NULL_HANDLE) return;
  if (api_.DestroyDevice == nullptr) return;
  // Not vkDeviceWaitIdle, which in lavapipe waits for ever for a submission that has failed. A lost device has no work
  // under way.
  static_cast<void>(plugin::guard([&] { wait(submitted_, TENON_FOREVER); }));
  if (nothing_ != nullptr) memory_->free(nothing_);
  pipelines_.reset();
  memory_.reset();
  if (timeline_ != VK_NULL_HANDLE) api_.DestroySemaphore(device_, timeline_, nullptr);
  api_.DestroyDevice(device_, nullptr);
}

std::uint64_t Device::submit(VkCommandBuffer commands, std::uint64_t after) {
  const VkPipelineStageFlags stages = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
  refuse_if_lost("submitting work");
  const std::lock_guard lock(queue_mutex_);
  const std::uint64_t value = submitted_ + 1;
  auto timeline = make<VkTimelineSemaphoreSubmitInfo>(VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO);
  timeline.signalSemaphoreValueCount = 1;
  timeline.pSignalSemaphoreValues = &value;
  auto info = make<VkSubmitInfo>(VK_STRUCTURE_TYPE_SUBMIT_INFO, &timeline);
  if (after != 0) {
    timeline.waitSemaphoreValueCount = info.waitSemaphoreCount = 1;
    timeline.pWaitSemaphoreValues = &after;
    info.pWaitSemaphores = &timeline_;
    info.pWaitDstStageMask = &stages;
  }
  info.commandBufferCount = 1;
  info.pCommandBuffers = &commands;
  info.signalSemaphoreCount = 1;
  info.pSignalSemaphores = &timeline_;
  check_alive(api_.QueueSubmit(queue_, 1, &info, VK_NULL_HANDLE), "submitting work");
  submitted_ = value;
  return value;
}

bool Device::wait(std::uint64_t value, std::uint64_t timeout_ns) {
  constexpr std::string_view doing = "waiting for work";
  if (value != 0) {
    refuse_if_lost(doing);
    auto info = make<VkSemaphoreWaitInfo>(VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO);
    info.semaphoreCount = 1;
    info.pSemaphores = &timeline_;
    info.pValues = &value;
    VkResult result = VK_ERROR_OUT_OF_HOST_MEMORY;
    // Nothing may be given back while work is under way: a wait that could not begin is begun again.
    for (int tries = 0; tries < 100 && result < 0 && result != VK_ERROR_DEVICE_LOST; ++tries)
      result = api_.WaitSemaphores(device_, &info, timeout_ns);
    if (result == VK_TIMEOUT) return false;
    // A device whose work cannot be waited for is of no more use than a lost one.
    if (result < 0 && result != VK_ERROR_DEVICE_LOST) lose(plugin::text(doing, ": ", name_of(result)));
    check_alive(result, doing);
  }
  retire(value);
  validation().raise();
  return true;
}

void Device::check_alive(VkResult result, std::string_view doing) {
  if (result == VK_ERROR_DEVICE_LOST) lose("the driver lost the device");
  check(result, doing);
}

void Device::refuse_if_lost(std::string_view doing) const {
  if (lost_)
    throw plugin::KernelError(TENON_ERROR_DEVICE_LOST, plugin::text("[vulkan] ", doing, ": the device is lost"));
}

// What was to be read back will not arrive, and the host hears of it: its memory may be gone from here on.
void Device::lose(std::string_view words) {
  if (lost_.exchange(true)) return;
  {
    const std::lock_guard lock(readback_mutex_);
    readbacks_.clear();
  }
  if (plugin::host != nullptr)
    plugin::host->device_lost(cookie_, TENON_ERROR_DEVICE_LOST, plugin::text("[vulkan] ", words).c_str());
}

// Room for them was made when their stream was.
void Device::read_back(std::span<const Readback> readbacks) {
  if (readbacks.empty()) return;
  const std::lock_guard lock(readback_mutex_);
  readbacks_.insert(readbacks_.end(), readbacks.begin(), readbacks.end());
}

void Device::retire(std::uint64_t value) {
  const std::lock_guard lock(readback_mutex_);
  const auto arrived = [value](const Readback& r) { return r.value <= value; };
  for (const Readback& r : readbacks_) {
    if (arrived(r)) std::memcpy(r.to, r.from, r.bytes);
  }
  std::erase_if(readbacks_, arrived);
  if (value > reached_.load(std::memory_order_relaxed)) reached_.store(value, std::memory_order_release);
}

void Device::add(Stream& stream, std::size_t readbacks) {
  const std::scoped_lock lock(streams_mutex_, readback_mutex_);
  readbacks_.reserve(readbacks_.capacity() + readbacks);
  streams_.push_back(&stream);
}

void Device::remove(Stream& stream) {
  const std::lock_guard lock(streams_mutex_);
  std::erase(streams_, &stream);
}

void Device::drain() {
  const std::lock_guard lock(streams_mutex_);
  for (Stream* stream : streams_) stream->synchronize(TENON_FOREVER);
}

}  // namespace tenon::vulkan
