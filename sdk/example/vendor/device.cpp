#include "device.h"

#include "plugin.h"

namespace acme {

using tenon::plugin::slot;
using tenon::plugin::to_handle;

void Device::memory_alloc(std::uint64_t bytes, std::uint64_t alignment, std::uint32_t, tenon_memory* memory) {
  *memory = memory_.allocate(bytes, alignment);
}

void Device::memory_info(std::uint64_t* free_bytes, std::uint64_t* total_bytes) const {
  *free_bytes = memory_.free_bytes();
  *total_bytes = memory_.total_bytes();
}

void Device::stream_create(std::uint32_t, tenon_stream** stream) {
  *stream = to_handle<tenon_stream>(std::make_unique<Stream>(streams_).release());
}

void Device::event_create(std::uint32_t, tenon_event** event) {
  *event = to_handle<tenon_event>(std::make_unique<Event>().release());
}

void Device::drain() {
  streams_.for_each([](Stream& stream) { stream.drain(); });
}

// -- the table ----------------------------------------------------------------------------------------------

namespace {

// What ends a handle's life.
template <class Object, class Handle>
std::int32_t destroy(Handle* handle) {
  return tenon::plugin::guard([&] { delete &tenon::plugin::from_handle<Object>(handle); });
}

}  // namespace

// What is not named here, the host need not use: importing memory, copies between devices, recorded graphs.
constexpr tenon_devices device_table = [] {
  tenon_devices table = tenon::plugin::unimplemented_devices();
  table.enumerate = slot<&Vendor::enumerate>;
  table.open = slot<&Vendor::open>;
  table.close = destroy<Device>;
  table.memory_alloc = slot<&Device::memory_alloc>;
  table.memory_free = slot<&Device::memory_free>;
  table.memory_info = slot<&Device::memory_info>;
  table.memory_trim = slot<&Device::memory_trim>;
  table.stream_create = slot<&Device::stream_create>;
  table.stream_destroy = destroy<Stream>;
  table.stream_wait = slot<&Stream::wait>;
  table.stream_synchronize = slot<&Stream::synchronize>;
  table.copy = slot<&Stream::copy>;
  table.copy_in = slot<&Stream::copy_in>;
  table.copy_out = slot<&Stream::copy_out>;
  table.fill = slot<&Stream::fill>;
  table.event_create = slot<&Device::event_create>;
  table.event_destroy = destroy<Event>;
  table.event_record = slot<&Event::record>;
  table.event_query = slot<&Event::query>;
  table.event_wait = slot<&Event::wait>;
  table.event_error = slot<&Event::error>;
  table.event_elapsed_ns = slot<&Event::elapsed_ns>;
  return table;
}();

}  // namespace acme
