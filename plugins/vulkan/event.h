// event.h: a place in the work of a stream: the value that the device's timeline has when it is reached.
//
// Owned by the host. Threads: any; recorded by the stream's caller.
#pragma once
#include "stream.h"

namespace tenon::vulkan {

class Event {
 public:
  explicit Event(Device& device);
  ~Event();
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;

  void record(Stream& stream);
  /// 0: never recorded, which counts as done.
  std::uint64_t value() const { return value_; }
  std::int32_t query() { return device_.wait(value_, 0) ? TENON_OK : TENON_PENDING; }
  std::int32_t wait(std::uint64_t timeout_ns) { return device_.wait(value_, timeout_ns) ? TENON_OK : TENON_PENDING; }
  /// From here to the other one, both done.
  std::uint64_t elapsed_ns(Event& to);

 private:
  std::uint64_t ticks();

  Device& device_;
  std::atomic<std::uint64_t> value_{0};
  VkQueryPool query_ = VK_NULL_HANDLE;
};

}  // namespace tenon::vulkan
