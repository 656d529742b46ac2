#include "event.h"

#include "clock.h"
#include "stream.h"

namespace tenon::gpu {

using plugin::from_handle;

Event::Event(Device& device) : device_(device) {
  device_.make_current();
  device_.check(device_.driver().event_create(&native_, 0), "event_create");
}

Event::~Event() {
  device_.enter();
  static_cast<void>(device_.driver().event_destroy(native_));
}

void Event::record(tenon_stream* stream) {
  device_.make_current();
  device_.check(device_.driver().event_record(native_, from_handle<Stream>(stream).native()), "event_record");
}

std::int32_t Event::query() { return wait(0); }

// As with streams: an error is told when the work is over.
void Event::settle(Status status) const {
  if (status == success) return;
  static_cast<void>(device_.driver().event_synchronize(native_));
  device_.fail(status, "event_wait");
}

std::int32_t Event::wait(std::uint64_t timeout_ns) {
  device_.enter();
  if (timeout_ns == TENON_FOREVER) {
    settle(device_.driver().event_synchronize(native_));
    return TENON_OK;
  }
  return wait_until(timeout_ns, [this] {
    const Status status = device_.driver().event_query(native_);
    if (status != not_ready) settle(status);
    return status == success;
  });
}

// The drivers know no launch: what failed on a device fails everything on it.
void Event::error(tenon_text* words) {
  device_.make_current();
  const Status status = device_.driver().event_query(native_);
  const bool failed = status != success && status != not_ready;
  plugin::write(words, failed ? words_of(device_.driver(), status) : std::string());
}

void Event::elapsed_ns(tenon_event* to, std::uint64_t* nanoseconds) {
  device_.make_current();
  float milliseconds = 0;
  device_.check(device_.driver().event_elapsed(&milliseconds, native_, from_handle<Event>(to).native_),
                "event_elapsed");
  *nanoseconds = milliseconds <= 0 ? 0 : static_cast<std::uint64_t>(static_cast<double>(milliseconds) * 1e6);
}

}  // namespace tenon::gpu
