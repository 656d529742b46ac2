// The plugin `metal`, never run on Apple hardware (docs/devices/metal.md). In this order:
//
//   object, bridge              Metal's objects, held by C++
//   gpus                        what Metal lists
//   device, memory, pipelines   what is open
//   timeline, stream, event     work in order: noted (stream.cpp), then encoded and committed (commit.mm)
//   capsules/                   what is computed: plan.h first, then a file for each family of operations
//   kernels/                    the same families in Metal's language
//   battery                     whether a device may call itself strict
#include "plugin.h"

#include "battery.h"
#include "event.h"

namespace tenon::metal {
namespace {

using plugin::from_handle;
using plugin::guard;
using plugin::to_handle;

/// The bytes of a place in memory that the host names.
Range range(tenon_ref ref, std::uint64_t bytes) {
  if (bytes == 0) return {nullptr, 0, 0};
  if (ref.memory == 0) plugin::refuse("[metal] ", bytes, " bytes without memory");
  const auto& buffer = *reinterpret_cast<const Buffer*>(ref.memory);
  if (ref.offset_bytes > buffer.bytes || bytes > buffer.bytes - ref.offset_bytes) {
    plugin::refuse("[metal] ", bytes, " bytes from ", ref.offset_bytes, " on of memory that has ", buffer.bytes);
  }
  return {&buffer, ref.offset_bytes, bytes};
}

Stream& stream_of(tenon_stream* handle) { return from_handle<Stream>(handle); }

// -- the table ----------------------------------------------------------------------------------------------

std::int32_t enumerate(void* self, tenon_device_sink* sink, void* context) {
  return guard([&] { static_cast<Metal*>(self)->enumerate(sink, context); });
}

std::int32_t open(void* self, std::uint32_t ordinal, std::uint64_t cookie, const tenon_attr* options,
                  std::uint32_t option_count, tenon_device** device) {
  return guard([&] {
    plugin::check_options("metal", {options, option_count});
    *device = to_handle<tenon_device>(static_cast<Metal*>(self)->open(ordinal, cookie));
  });
}

constexpr tenon_devices make_devices() {
  tenon_devices table = plugin::unimplemented_devices();
  table.enumerate = enumerate;
  table.open = open;
  table.close = [](tenon_device* device) {
    return guard([&] {
      Device& closing = from_handle<Device>(device);
      closing.owner->close(&closing);
    });
  };
  table.memory_alloc = [](tenon_device* device, std::uint64_t bytes, std::uint64_t, std::uint32_t kind,
                          tenon_memory* memory) {
    return guard([&] {
      const auto place = kind == TENON_MEMORY_DEVICE ? Memory::Place::device : Memory::Place::host;
      Buffer* buffer = from_handle<Device>(device).memory().allocate(bytes, place);
      *memory = {sizeof(tenon_memory), 0, reinterpret_cast<std::uintptr_t>(buffer), bytes, buffer->contents};
    });
  };
  table.memory_free = [](tenon_device* device, std::uint64_t memory) {
    return guard([&] { from_handle<Device>(device).memory().free(reinterpret_cast<Buffer*>(memory)); });
  };
  table.memory_info = [](tenon_device* device, std::uint64_t* free_bytes, std::uint64_t* total_bytes) {
    return guard([&] {
      const Memory& memory = from_handle<Device>(device).memory();
      *free_bytes = memory.free_bytes();
      *total_bytes = memory.total_bytes();
    });
  };
  table.memory_trim = [](tenon_device*) { return TENON_OK; };  // nothing is kept
  table.stream_create = [](tenon_device* device, std::uint32_t, tenon_stream** stream) {
    return guard(
        [&] { *stream = to_handle<tenon_stream>(std::make_unique<Stream>(from_handle<Device>(device)).release()); });
  };
  table.stream_destroy = [](tenon_stream* stream) { return guard([&] { delete &stream_of(stream); }); };
  table.stream_wait = [](tenon_stream* stream, tenon_event* event) {
    return guard([&] { stream_of(stream).wait_for(from_handle<Event>(event).moment()); });
  };
  table.stream_synchronize = [](tenon_stream* stream, std::uint64_t timeout_ns) {
    return guard([&] { return stream_of(stream).synchronize(timeout_ns) ? TENON_OK : TENON_PENDING; });
  };
  table.copy = [](tenon_stream* stream, tenon_ref to, tenon_ref from, std::uint64_t bytes) {
    return guard([&] { stream_of(stream).copy(range(to, bytes), range(from, bytes)); });
  };
  table.copy_in = [](tenon_stream* stream, tenon_ref to, const void* from, std::uint64_t bytes) {
    return guard([&] { stream_of(stream).copy_in(range(to, bytes), from); });
  };
  table.copy_out = [](tenon_stream* stream, void* to, tenon_ref from, std::uint64_t bytes) {
    return guard([&] { stream_of(stream).copy_out(to, range(from, bytes)); });
  };
  table.fill = [](tenon_stream* stream, tenon_ref to, const void* pattern, std::uint32_t pattern_bytes,
                  std::uint64_t bytes) {
    return guard([&] { stream_of(stream).fill(range(to, bytes), pattern, pattern_bytes); });
  };
  table.event_create = [](tenon_device* device, std::uint32_t, tenon_event** event) {
    return guard([&] {
      if (device == nullptr) plugin::refuse("a handle is null");
      *event = to_handle<tenon_event>(std::make_unique<Event>().release());
    });
  };
  table.event_destroy = [](tenon_event* event) { return guard([&] { delete &from_handle<Event>(event); }); };
  table.event_record = [](tenon_event* event, tenon_stream* stream) {
    return guard([&] { from_handle<Event>(event).record(stream_of(stream)); });
  };
  table.event_query = [](tenon_event* event) { return guard([&] { return from_handle<Event>(event).wait(0); }); };
  table.event_wait = [](tenon_event* event, std::uint64_t timeout_ns) {
    return guard([&] { return from_handle<Event>(event).wait(timeout_ns); });
  };
  table.event_error = [](tenon_event*, tenon_text* words) {
    plugin::write(words, "");  // the error of lost devices is told where it is met
    return TENON_OK;
  };
  table.event_elapsed_ns = [](tenon_event* from, tenon_event* to, std::uint64_t* nanoseconds) {
    return guard([&] { *nanoseconds = from_handle<Event>(from).elapsed_ns(from_handle<Event>(to)); });
  };
  return table;
}

constexpr tenon_devices table = make_devices();

}  // namespace

const tenon_devices* const Metal::devices = &table;

// -- the plugin ---------------------------------------------------------------------------------------------

const std::vector<std::unique_ptr<Gpu>>& Metal::gpus() {
  const std::lock_guard lock(mutex_);
  if (gpus_.empty()) gpus_ = list_gpus();
  return gpus_;
}

void Metal::enumerate(tenon_device_sink* sink, void* context) {
  for (const auto& gpu : gpus()) {
    const tenon_device_info facts = facts_of(*gpu);
    sink(context, &facts);
  }
}

// The battery is run once for each device of a process.
Device* Metal::open(std::uint32_t ordinal, std::uint64_t cookie) {
  const auto& all = gpus();
  if (ordinal >= all.size())
    plugin::refuse("[metal] there is no device metal:", ordinal, ": the last one is metal:", all.size() - 1);
  const Gpu& gpu = *all[ordinal];
  if (gpu.usable != 0) throw plugin::KernelError(TENON_ERROR, "[metal] " + gpu.why_unusable);
  auto device = std::make_unique<Device>(gpu, cookie);
  device->owner = this;
  const std::lock_guard lock(mutex_);
  auto known = battery_.find(ordinal);
  if (known == battery_.end()) known = battery_.emplace(ordinal, StrictFailure{run_battery(*device)}).first;
  device->strict_failure = known->second;
  open_.push_back(device.get());
  return device.release();
}

void Metal::close(Device* device) {
  {
    const std::lock_guard lock(mutex_);
    std::erase(open_, device);
  }
  delete device;
}

void Metal::quiesce() {
  const std::lock_guard lock(mutex_);
  for (Device* device : open_) device->drain();
}

}  // namespace tenon::metal

extern "C" std::int32_t tenon_plugin_query(const tenon_query* query, tenon_reply* reply) {
  return tenon::plugin::answer<tenon::metal::Metal>(query, reply);
}
