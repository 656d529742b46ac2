#include "event.h"

namespace tenon::vulkan {

Event::Event(Device& device) : device_(device) {
  if (device.physical().timestamp_bits == 0) return;
  auto info = make<VkQueryPoolCreateInfo>(VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO);
  info.queryType = VK_QUERY_TYPE_TIMESTAMP;
  info.queryCount = 1;
  check(device.api().CreateQueryPool(device.handle(), &info, nullptr, &query_), "creating an event");
}

// The time stamp may still be on its way.
Event::~Event() {
  if (query_ == VK_NULL_HANDLE) return;
  static_cast<void>(plugin::guard([&] { device_.wait(value_, TENON_FOREVER); }));
  device_.api().DestroyQueryPool(device_.handle(), query_, nullptr);
}

void Event::record(Stream& stream) {
  if (query_ != VK_NULL_HANDLE) stream.stamp(query_);
  value_ = stream.flush();
}

std::uint64_t Event::ticks() {
  std::uint64_t ticks = 0;
  check(device_.api().GetQueryPoolResults(device_.handle(), query_, 0, 1, sizeof ticks, &ticks, sizeof ticks,
                                          VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT),
        "reading a time stamp");
  return ticks;
}

std::uint64_t Event::elapsed_ns(Event& to) {
  if (query_ == VK_NULL_HANDLE) plugin::refuse("[vulkan] this device has no time stamps");
  if (value() == 0 || to.value() == 0) plugin::refuse("[vulkan] an event that was never recorded has no time");
  device_.wait(std::max(value(), to.value()), TENON_FOREVER);
  const std::uint32_t bits = device_.physical().timestamp_bits;
  const std::uint64_t mask = bits >= 64 ? UINT64_MAX : (std::uint64_t{1} << bits) - 1;
  const std::uint64_t passed = (to.ticks() - ticks()) & mask;
  return static_cast<std::uint64_t>(static_cast<double>(passed) *
                                    static_cast<double>(device_.physical().properties.limits.timestampPeriod));
}

}  // namespace tenon::vulkan
