#include "event.h"

#include "bridge.h"

namespace tenon::metal {

void Event::record(Stream& stream) {
  stream.stamp();
  const std::uint64_t value = stream.flush();
  const std::lock_guard lock(mutex_);
  moment_ = {stream.timeline(), value};
  commands_ = stream.timeline()->newest();
}

Moment Event::moment() const {
  const std::lock_guard lock(mutex_);
  return moment_;
}

std::int32_t Event::wait(std::uint64_t timeout_ns) const {
  const Moment moment = this->moment();
  return moment.timeline == nullptr || moment.timeline->wait(moment.value, timeout_ns) ? TENON_OK : TENON_PENDING;
}

double Event::seconds() const {
  if (wait(TENON_FOREVER) != TENON_OK) plugin::refuse("[metal] an event that is not reached has no time");
  double seconds = 0;
  with_pool([&] {
    const std::lock_guard lock(mutex_);
    if (!commands_) plugin::refuse("[metal] an event that was never recorded has no time");
    seconds = as<id<MTLCommandBuffer>>(commands_).GPUEndTime;
  });
  return seconds;
}

std::uint64_t Event::elapsed_ns(const Event& to) const {
  const double passed = to.seconds() - seconds();
  return passed <= 0 ? 0 : static_cast<std::uint64_t>(passed * 1e9);
}

}  // namespace tenon::metal
