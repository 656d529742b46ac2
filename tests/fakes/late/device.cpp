#include "device.h"

#include <atomic>
#include <cstring>

#include "ledger.h"
#include "stream.h"
#include "tenon/plugin.hpp"

namespace tenon::late {
namespace {

using plugin::from_handle;
using plugin::guard;
using plugin::refuse;
using plugin::to_handle;

struct Device {
  Device(std::uint64_t memory_bytes, Ledger& plugin_ledger) : memory(memory_bytes), ledger(plugin_ledger) {}
  Memory memory;
  Ledger& ledger;
  std::recursive_mutex mutex;  // of streams, events and queued kernels
  std::atomic<int> streams{0}, events{0};
};

struct DeviceStream {
  explicit DeviceStream(Device& owner) : device(owner), work(owner.memory) {}
  Device& device;
  Stream work;
};

struct Event {
  explicit Event(Device& owner) : device(owner) {}
  Device& device;
  std::shared_ptr<Recording> last;  // null: not recorded yet, which counts as done
};

/// Runs body with a handle's object while its device is locked.
template <class Object, class Handle, class Body>
std::int32_t locked(Handle* handle, const Body& body) {
  return guard([&] {
    auto& object = from_handle<Object>(handle);
    const std::lock_guard lock(object.device.mutex);
    return body(object);
  });
}

// -- devices ------------------------------------------------------------------------------------------------

std::int32_t enumerate(void* self, tenon_device_sink* sink, void* context) {
  return guard([&] {
    tenon_device_info info{};
    info.size = sizeof info;
    info.flags = TENON_DEVICE_SOFTWARE | TENON_DEVICE_BINARY64;
    info.device_class = TENON_CLASS_OTHER;
    info.kind = "late";
    info.name = "a device that is always late";
    info.driver = "";
    info.architecture = "fake";
    info.memory_bytes = instance_of(self).settings.memory_bytes;
    info.base_alignment_bytes = info.offset_alignment_bytes = 64;
    info.native_float = plugin::dtype_of<double>;
    info.memory_domain = "late";
    sink(context, &info);
  });
}

std::int32_t open(void* self, std::uint32_t ordinal, std::uint64_t, const tenon_attr* options,
                  std::uint32_t option_count, tenon_device** device) {
  return guard([&] {
    if (ordinal != 0) refuse("[late] there is no device late:", ordinal, ": the only one is late:0");
    Instance& instance = instance_of(self);
    Settings settings = instance.settings;
    settings.read({options, option_count});
    *device = to_handle<tenon_device>(std::make_unique<Device>(settings.memory_bytes, instance.ledger).release());
  });
}

std::int32_t close(tenon_device* handle) {
  return guard([&] {
    const std::unique_ptr<Device> device(&from_handle<Device>(handle));
    const std::size_t blocks = device->memory.blocks();
    if (blocks == 0 && device->streams == 0 && device->events == 0) return;
    refuse("[late] closed with ", blocks, " pieces of memory, ", device->streams.load(), " streams and ",
           device->events.load(), " events alive");
  });
}

// -- memory -------------------------------------------------------------------------------------------------

std::int32_t memory_alloc(tenon_device* device, std::uint64_t bytes, std::uint64_t alignment, std::uint32_t,
                          tenon_memory* memory) {
  return guard([&] {
    auto& owner = from_handle<Device>(device);
    if (owner.ledger.refuses_allocation())
      throw plugin::KernelError(TENON_ERROR_OUT_OF_MEMORY, "[late] out of memory: a test asked for this");
    const std::uint64_t handle = owner.memory.allocate(bytes, alignment);
    *memory = {sizeof(tenon_memory), 0, handle, bytes, nullptr};
  });
}
std::int32_t memory_free(tenon_device* device, std::uint64_t memory) {
  return guard([&] { from_handle<Device>(device).memory.free(memory); });
}
std::int32_t memory_info(tenon_device* device, std::uint64_t* free_bytes, std::uint64_t* total_bytes) {
  return guard([&] {
    const Memory& memory = from_handle<Device>(device).memory;
    *free_bytes = memory.free_bytes();
    *total_bytes = memory.total_bytes();
  });
}
std::int32_t memory_trim(tenon_device*) { return TENON_OK; }

// -- streams ------------------------------------------------------------------------------------------------

std::int32_t stream_create(tenon_device* handle, std::uint32_t, tenon_stream** stream) {
  return guard([&] {
    auto& device = from_handle<Device>(handle);
    *stream = to_handle<tenon_stream>(std::make_unique<DeviceStream>(device).release());
    ++device.streams;
  });
}

// Work that nobody waited for is done first, as on real devices.
std::int32_t stream_destroy(tenon_stream* handle) {
  return guard([&] {
    const std::unique_ptr<DeviceStream> stream(&from_handle<DeviceStream>(handle));
    const std::lock_guard lock(stream->device.mutex);
    --stream->device.streams;
    stream->work.synchronize();
  });
}

std::int32_t stream_wait(tenon_stream* stream, tenon_event* event) {
  return locked<DeviceStream>(stream, [&](DeviceStream& s) {
    const auto& recording = from_handle<Event>(event).last;
    if (recording != nullptr && !recording->done) s.work.enqueue(Wait{recording});
  });
}

std::int32_t stream_synchronize(tenon_stream* stream, std::uint64_t timeout_ns) {
  return locked<DeviceStream>(stream, [&](DeviceStream& s) -> std::int32_t {
    if (timeout_ns == 0 && s.work.pending() != 0) return TENON_PENDING;
    s.work.synchronize();
    return TENON_OK;
  });
}

// What can be known now is checked now; when the work is done it is checked again.
std::int32_t copy(tenon_stream* stream, tenon_ref to, tenon_ref from, std::uint64_t bytes) {
  return locked<DeviceStream>(stream, [&](DeviceStream& s) {
    s.device.memory.at(to, bytes, copy_alignment, {"copy", "destination"});
    s.device.memory.at(from, bytes, copy_alignment, {"copy", "source"});
    s.work.enqueue(Copy{to, from, bytes});
  });
}

std::int32_t copy_in(tenon_stream* stream, tenon_ref to, const void* from, std::uint64_t bytes) {
  return locked<DeviceStream>(stream, [&](DeviceStream& s) {
    s.device.memory.at(to, bytes, copy_alignment, {"copy_in", "destination"});
    s.device.ledger.bytes_in += bytes;
    s.work.enqueue(CopyIn{to, from, bytes});
  });
}

std::int32_t copy_out(tenon_stream* stream, void* to, tenon_ref from, std::uint64_t bytes) {
  return locked<DeviceStream>(stream, [&](DeviceStream& s) {
    s.device.memory.at(from, bytes, copy_alignment, {"copy_out", "source"});
    s.device.ledger.bytes_out += bytes;
    ++s.device.ledger.copies_out;
    s.work.enqueue(CopyOut{to, from, bytes});
  });
}

std::int32_t fill(tenon_stream* stream, tenon_ref to, const void* pattern, std::uint32_t pattern_bytes,
                  std::uint64_t bytes) {
  return locked<DeviceStream>(stream, [&](DeviceStream& s) {
    s.device.memory.at(to, bytes, copy_alignment, {"fill", "destination"});
    if (pattern_bytes == 0 || pattern_bytes > Fill::max_pattern_bytes || bytes % pattern_bytes != 0) {
      refuse("[late] fill of ", bytes, " bytes by a pattern of ", pattern_bytes);
    }
    Fill command{to, {}, pattern_bytes, bytes};
    std::memcpy(command.pattern, pattern, pattern_bytes);
    s.work.enqueue(command);
  });
}

// -- events -------------------------------------------------------------------------------------------------

std::int32_t event_create(tenon_device* handle, std::uint32_t, tenon_event** event) {
  return guard([&] {
    auto& device = from_handle<Device>(handle);
    *event = to_handle<tenon_event>(std::make_unique<Event>(device).release());
    ++device.events;
  });
}

std::int32_t event_destroy(tenon_event* handle) {
  return guard([&] {
    const std::unique_ptr<Event> event(&from_handle<Event>(handle));
    --event->device.events;
  });
}

std::int32_t event_record(tenon_event* event, tenon_stream* stream) {
  return locked<DeviceStream>(stream, [&](DeviceStream& s) {
    auto recording = std::make_shared<Recording>();
    recording->stream = &s.work;
    s.work.enqueue(Record{recording});
    from_handle<Event>(event).last = std::move(recording);
  });
}

/// What a recording that is done has to say.
std::int32_t outcome(const Recording& recording) {
  return recording.status == TENON_OK ? TENON_OK : plugin::report(recording.status, recording.words.c_str());
}

std::int32_t event_query(tenon_event* event) {
  return locked<Event>(event, [](const Event& e) -> std::int32_t {
    if (e.last == nullptr) return TENON_OK;
    return e.last->done ? outcome(*e.last) : TENON_PENDING;
  });
}

std::int32_t event_wait(tenon_event* event, std::uint64_t timeout_ns) {
  return locked<Event>(event, [&](const Event& e) -> std::int32_t {
    if (e.last == nullptr) return TENON_OK;
    if (!e.last->done && timeout_ns == 0) return TENON_PENDING;
    if (!e.last->done) e.last->stream->run_through(*e.last);
    return outcome(*e.last);
  });
}

std::int32_t event_error(tenon_event* event, tenon_text* words) {
  return locked<Event>(event, [&](const Event& e) {
    const std::string_view said = e.last == nullptr ? std::string_view() : std::string_view(e.last->words);
    words->length = std::min<std::uint64_t>(words->capacity, said.size());
    said.copy(words->data, words->length);
  });
}

constexpr tenon_devices make_devices() {
  tenon_devices table{};  // the optional slots stay null
  table.size = sizeof table;
  table.enumerate = enumerate;
  table.open = open;
  table.close = close;
  table.memory_alloc = memory_alloc;
  table.memory_free = memory_free;
  table.memory_info = memory_info;
  table.memory_trim = memory_trim;
  table.stream_create = stream_create;
  table.stream_destroy = stream_destroy;
  table.stream_wait = stream_wait;
  table.stream_synchronize = stream_synchronize;
  table.copy = copy;
  table.copy_in = copy_in;
  table.copy_out = copy_out;
  table.fill = fill;
  table.event_create = event_create;
  table.event_destroy = event_destroy;
  table.event_record = event_record;
  table.event_query = event_query;
  table.event_wait = event_wait;
  table.event_error = event_error;
  return table;
}

}  // namespace

constexpr tenon_devices devices = make_devices();

void enqueue_launch(tenon_stream* stream, Kernel& kernel, const tenon_args& args) {
  auto& s = from_handle<DeviceStream>(stream);
  const std::lock_guard lock(s.device.mutex);
  const Launch launch{&kernel, kernel.copy(args)};
  kernel.check(launch.arguments, s.device.memory);
  s.work.enqueue(launch);
  ++kernel.queued;
}

}  // namespace tenon::late
