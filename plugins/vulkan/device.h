// device.h: a logical device with its one queue.
//
// All streams submit to that queue, one at a time under a lock, and each submission raises one timeline semaphore by
// one: a value stands for all work up to it, whichever stream it came from. Owned by the host from open() to close();
// streams, events and buffers of it are destroyed before. Threads: any.
#pragma once
#include <atomic>

#include "memory.h"
#include "pipelines.h"

namespace tenon::vulkan {

class Stream;
class Vulkan;

/// What the device knows of its arithmetic: words of the strict battery's first failure; empty where it passed.
struct StrictFailure {
  std::string words;
};

class Device {
 public:
  Device(Instance& instance, std::uint32_t ordinal, std::uint64_t cookie);
  ~Device();
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  const DeviceFunctions& api() const { return api_; }
  VkDevice handle() const { return device_; }
  const PhysicalDevice& physical() const { return physical_; }
  Memory& memory() { return *memory_; }
  Pipelines& pipelines() { return *pipelines_; }
  Validation& validation() const { return instance_.validation(); }
  /// Invocations along x in a workgroup of the kernels that leave it to the device.
  std::uint32_t workgroup() const { return physical_.software() ? 16 : 64; }
  /// Stands where a tensor has no elements.
  const Buffer& nothing() const { return *nothing_; }

  StrictFailure strict_failure;
  Vulkan* owner = nullptr;  // to which close() gives it back

  /// Returns the value of the timeline that says that it is done. `after`: what it waits for.
  std::uint64_t submit(VkCommandBuffer commands, std::uint64_t after);
  /// Has somebody waited for this value, or a later one, already?
  bool reached(std::uint64_t value) const { return reached_.load(std::memory_order_acquire) >= value; }
  /// False: not in time. When true, what was read back up to there has reached the host.
  bool wait(std::uint64_t value, std::uint64_t timeout_ns);

  /// Bytes that go from a mapped buffer to the host when the timeline has come so far.
  struct Readback {
    std::uint64_t value;
    void* to;
    const std::byte* from;
    std::uint64_t bytes;
  };
  void read_back(std::span<const Readback> readbacks);

  /// `readbacks`: how many it may have under way.
  void add(Stream& stream, std::size_t readbacks);
  void remove(Stream& stream);
  /// Submits and finishes everything.
  void drain();

 private:
  void create(const InstanceFunctions& instance);
  void destroy();
  void retire(std::uint64_t value);
  void check_alive(VkResult result, std::string_view doing);
  void refuse_if_lost(std::string_view doing) const;
  void lose(std::string_view words);

  Instance& instance_;
  const PhysicalDevice& physical_;
  const std::uint64_t cookie_;
  VkDevice device_ = VK_NULL_HANDLE;
  DeviceFunctions api_;
  VkQueue queue_ = VK_NULL_HANDLE;
  VkSemaphore timeline_ = VK_NULL_HANDLE;
  std::mutex queue_mutex_, readback_mutex_, streams_mutex_;
  std::uint64_t submitted_ = 0;
  std::atomic<std::uint64_t> reached_{0};
  std::atomic<bool> lost_{false};
  std::vector<Readback> readbacks_;
  std::vector<Stream*> streams_;
  std::unique_ptr<Memory> memory_;
  std::unique_ptr<Pipelines> pipelines_;
  Buffer* nothing_ = nullptr;
};

}  // namespace tenon::vulkan
