// The table of what the host may ask of a device, slot by slot.
#include "event.h"
#include "plugin.h"
#include "stream.h"

namespace tenon::gpu {
namespace {

using plugin::slot;

// What ends a handle's life.
template <class Object, class Handle>
std::int32_t destroy(Handle* handle) {
  return plugin::guard([&] { delete &plugin::from_handle<Object>(handle); });
}

}  // namespace

constexpr tenon_devices device_table = [] {
  tenon_devices table = plugin::unimplemented_devices();
  table.enumerate = slot<&Plugin::enumerate>;
  table.open = slot<&Plugin::open>;
  table.close = destroy<Device>;
  table.memory_alloc = slot<&Device::memory_alloc>;
  table.memory_free = slot<&Device::memory_free>;
  table.memory_info = slot<&Device::memory_info>;
  table.memory_trim = slot<&Device::memory_trim>;
  table.stream_create = slot<&Device::stream_create>;
  table.stream_destroy = destroy<Stream>;
  table.stream_wait = slot<&Stream::wait>;
  table.stream_synchronize = slot<&Stream::synchronize>;
  table.copy = slot<static_cast<void (Stream::*)(tenon_ref, tenon_ref, std::uint64_t)>(&Stream::copy)>;
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

}  // namespace tenon::gpu
