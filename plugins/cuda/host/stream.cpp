#include "stream.h"

#include <cstring>

#include "clock.h"
#include "event.h"
#include "kernels/shapes.h"
#include "vendor.h"

namespace tenon::gpu {
namespace {

using plugin::refuse;

constexpr std::uint32_t non_blocking = 1;  // takes no part in the default stream's order

}  // namespace

NativeStream Stream::create(const Device& device) {
  device.make_current();
  NativeStream stream = nullptr;
  device.check(device.driver().stream_create(&stream, non_blocking), "stream_create");
  return stream;
}

Stream::Stream(Device& device, Roster<Stream>& streams)
    : device_(device), streams_(streams), native_(create(device)), staging_(device, native_) {
  static_assert(threads == block_threads);
  try {
    streams_.add(*this);
    device_.attach(*this);
  } catch (...) {
    streams_.remove(*this);
    static_cast<void>(device_.driver().stream_destroy(native_));
    throw;
  }
}

// Work that nobody waited for is done first: it may use the staging pieces.
Stream::~Stream() {
  streams_.remove(*this);
  device_.enter();
  static_cast<void>(device_.driver().stream_synchronize(native_));
  attachment_.reset();
  static_cast<void>(device_.driver().stream_destroy(native_));
}

void Stream::copy(tenon_ref to, tenon_ref from, std::uint64_t bytes) {
  if (bytes == 0) return;
  device_.make_current();
  copy(address_of(to), address_of(from), bytes);
}

void Stream::copy(Address to, Address from, std::uint64_t bytes) const {
  device_.check(device_.driver().copy(to, from, bytes, native_), "copy");
}

void Stream::copy_in(tenon_ref to, const void* from, std::uint64_t bytes) {
  device_.make_current();
  staging_.copy_in(address_of(to), static_cast<const std::byte*>(from), bytes);
}

void Stream::copy_out(void* to, tenon_ref from, std::uint64_t bytes) {
  device_.make_current();
  staging_.copy_out(static_cast<std::byte*>(to), address_of(from), bytes);
}

void Stream::fill(tenon_ref to, const void* pattern, std::uint32_t pattern_bytes, std::uint64_t bytes) {
  if (pattern_bytes == 0 || pattern_bytes > Pattern::max_bytes || bytes % pattern_bytes != 0) {
    refuse("[fill] ", bytes, " bytes by a pattern of ", pattern_bytes, ": expected a whole number of patterns of 1 to ",
           Pattern::max_bytes, " bytes");
  }
  const std::uint64_t blocks = (bytes + threads - 1) / threads;
  if (blocks > vendor.max_blocks) refuse("[fill] ", bytes, " bytes: at most ", vendor.max_blocks * threads);
  if (blocks == 0) return;
  device_.make_current();
  Address address = address_of(to);
  Pattern given{};
  std::memcpy(given.bytes, pattern, pattern_bytes);
  void* parameters[] = {&bytes, &address, &given, &pattern_bytes};
  device_.check(launch(device_.function("sources", "fill_pattern"), static_cast<std::uint32_t>(blocks), parameters),
                "fill");
}

void Stream::wait(tenon_event* event) {
  device_.make_current();
  device_.check(device_.driver().stream_wait(native_, plugin::from_handle<Event>(event).native(), 0), "stream_wait");
}

// Whoever is told an error takes back the memory that copies go to, so what is queued is over by then, as far as the
// driver lets it be.
void Stream::settle(Status status) const {
  if (status == success) return;
  static_cast<void>(device_.driver().stream_synchronize(native_));
  device_.fail(status, "stream_synchronize");
}

std::int32_t Stream::synchronize(std::uint64_t timeout_ns) {
  device_.enter();
  if (timeout_ns == TENON_FOREVER) {
    settle(device_.driver().stream_synchronize(native_));
    return TENON_OK;
  }
  return wait_until(timeout_ns, [this] {
    const Status status = device_.driver().stream_query(native_);
    if (status != not_ready) settle(status);
    return status == success;
  });
}

}  // namespace tenon::gpu
