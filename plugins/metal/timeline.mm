#include "timeline.h"

#include <chrono>
#include <cstring>

#include "bridge.h"

namespace tenon::metal {
namespace {

using Clock = std::chrono::steady_clock;

/// What is left of a time limit.
class Patience {
 public:
  explicit Patience(std::uint64_t timeout_ns) : timeout_ns_(timeout_ns), begin_(Clock::now()) {}
  std::uint64_t left_ns() const {
    if (timeout_ns_ == TENON_FOREVER) return TENON_FOREVER;
    const auto passed =
        static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - begin_).count());
    return passed >= timeout_ns_ ? 0 : timeout_ns_ - passed;
  }

 private:
  std::uint64_t timeout_ns_;
  Clock::time_point begin_;
};

bool is_over(id<MTLCommandBuffer> commands) { return commands.status >= MTLCommandBufferStatusCompleted; }

/// Waits for one command buffer, whose end signals the value.
bool is_over_in_time(id<MTLCommandBuffer> commands, id<MTLSharedEvent> event, std::uint64_t value,
                     std::uint64_t timeout_ns) {
  if (is_over(commands)) return true;
  if (timeout_ns == 0) return false;
  constexpr std::uint64_t millisecond = 1000000;
  const bool signalled = timeout_ns == TENON_FOREVER ||
                         [event waitUntilSignaledValue:value timeoutMS:(timeout_ns + millisecond - 1) / millisecond];
  if (signalled) [commands waitUntilCompleted];
  return is_over(commands);
}

}  // namespace

Timeline::Timeline(const Object& device, void (*lost)(void*, const char*), void* context)
    : lost_(lost), context_(context) {
  with_pool([&] {
    id<MTLSharedEvent> event = [as<id<MTLDevice>>(device) newSharedEvent];
    if (event == nil) throw_error("creating the timeline of a stream", nil);
    event_ = hold(event);
  });
  for (Flight& flight : flights_) flight.readbacks.reserve(readbacks_at_once);
}

// The flight's place is free: the stream waited for the batch that had it.
void Timeline::add(Object commands, std::span<const Moment> after, std::span<const Readback> readbacks) {
  const std::lock_guard lock(mutex_);
  Flight& flight = flights_[++last_ % capacity];
  newest_ = commands.share();
  flight.commands = std::move(commands);
  std::copy(after.begin(), after.end(), flight.after.begin());
  flight.readbacks.assign(readbacks.begin(), readbacks.end());
}

Object Timeline::newest() const {
  const std::lock_guard lock(mutex_);
  return newest_.share();
}

bool Timeline::wait(std::uint64_t value, std::uint64_t timeout_ns) {
  const Patience patience(timeout_ns);
  while (!reached(value)) {
    if (!advance(value, patience.left_ns())) return false;
  }
  const std::lock_guard lock(mutex_);
  if (failure_ && failed_value_ <= value) throw plugin::KernelError(*failure_);
  return true;
}

/// Waits for the oldest command buffer, and for what it waits for.
bool Timeline::advance(std::uint64_t value, std::uint64_t timeout_ns) {
  const Patience patience(timeout_ns);
  std::array<Moment, waits_at_once> after;
  std::uint64_t oldest = 0;
  {
    const std::lock_guard lock(mutex_);
    oldest = reached_ + 1;
    if (oldest > value) return true;
    after = flights_[oldest % capacity].after;
  }
  for (const Moment& moment : after) {
    if (moment.timeline == nullptr) continue;
    bool in_time = false;
    try {
      in_time = moment.timeline->wait(moment.value, patience.left_ns());
    } catch (const plugin::KernelError&) {  // is told to who waits there
      in_time = true;
    }
    if (!in_time) return false;
  }
  return finish(oldest, patience.left_ns());
}

bool Timeline::finish(std::uint64_t value, std::uint64_t timeout_ns) {
  bool over = false;
  with_pool([&] {
    id<MTLCommandBuffer> commands = nil;
    {
      const std::lock_guard lock(mutex_);
      if (reached_ >= value) {
        over = true;
        return;
      }
      commands = as<id<MTLCommandBuffer>>(flights_[value % capacity].commands);
    }
    over = is_over_in_time(commands, as<id<MTLSharedEvent>>(event_), value, timeout_ns);
    if (over) retire(value);
  });
  return over;
}

void Timeline::retire(std::uint64_t value) {
  std::optional<plugin::KernelError> failure;
  {
    const std::lock_guard lock(mutex_);
    if (reached_ >= value) return;
    Flight& flight = flights_[value % capacity];
    id<MTLCommandBuffer> commands = as<id<MTLCommandBuffer>>(flight.commands);
    if (commands.status == MTLCommandBufferStatusError) {
      failure = failure_of(commands);
      id<MTLSharedEvent> event = as<id<MTLSharedEvent>>(event_);
      if (event.signaledValue < value) event.signaledValue = value;
      if (!failure_) failure_ = failure, failed_value_ = value;
    } else {
      for (const Readback& r : flight.readbacks) std::memcpy(r.to, r.from, r.bytes);
    }
    flight.commands.reset();
    flight.after = {};
    flight.readbacks.clear();
    reached_.store(value, std::memory_order_release);
  }
  if (failure && failure->status() == TENON_ERROR_DEVICE_LOST) lost_(context_, failure->what());
}

void Timeline::fail(const plugin::KernelError& error) {
  const std::lock_guard lock(mutex_);
  if (!failure_) failure_ = error, failed_value_ = last_;
}

bool Timeline::failed() const {
  const std::lock_guard lock(mutex_);
  return failure_.has_value();
}

std::optional<plugin::KernelError> Timeline::take_failure() {
  const std::lock_guard lock(mutex_);
  return std::exchange(failure_, std::nullopt);
}

void Timeline::throw_failure() const {
  const std::lock_guard lock(mutex_);
  if (failure_) throw plugin::KernelError(*failure_);
}

}  // namespace tenon::metal
