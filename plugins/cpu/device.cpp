#include "device.h"

#include <cstring>
#include <memory>

#include "instance.h"
#include "machine.h"

namespace tenon::cpu {
namespace {

using plugin::from_handle;
using plugin::guard;
using plugin::KernelError;
using plugin::refuse;
using plugin::text;
using plugin::to_handle;

constexpr std::uint64_t alignment_bytes = 64;  // a cache line, and the widest vector

struct Stream {};
struct Event {};

std::byte* address(tenon_ref ref) {
  return reinterpret_cast<std::byte*>(static_cast<std::uintptr_t>(ref.memory + ref.offset_bytes));
}

// -- devices ------------------------------------------------------------------------------------------------

std::int32_t enumerate(void*, tenon_device_sink* sink, void* context) {
  return guard([&] {
    const std::string name = processor_name();
    tenon_device_info info{};
    info.size = sizeof info;
    info.flags = TENON_DEVICE_UNIFIED_MEMORY | TENON_DEVICE_BINARY64;
    info.device_class = TENON_CLASS_CPU;
    info.kind = "cpu";
    info.name = name.c_str();
    info.driver = "";
    info.architecture = architecture();
    info.memory_bytes = host_memory().total_bytes;
    info.base_alignment_bytes = alignment_bytes;
    info.offset_alignment_bytes = sizeof(double);
    info.native_float = plugin::dtype_of<double>;
    info.memory_domain = "host";
    sink(context, &info);
  });
}

std::int32_t open(void* self, std::uint32_t ordinal, std::uint64_t, const tenon_attr* options,
                  std::uint32_t option_count, tenon_device** device) {
  return guard([&] {
    if (ordinal != 0) refuse("[cpu] there is no device cpu:", ordinal, ": the only one is cpu:0");
    plugin::check_options("cpu", {options, option_count});
    const auto* instance = static_cast<const Instance*>(self);  // null: nobody initialised the plugin
    const native::Isa isa = instance == nullptr ? isa_of(nullptr) : instance->isa();
    *device = to_handle<tenon_device>(std::make_unique<Device>(Device{isa}).release());
  });
}

std::int32_t close(tenon_device* device) {
  return guard([&] { delete &from_handle<Device>(device); });
}

// -- memory -------------------------------------------------------------------------------------------------

[[noreturn]] void fail_out_of_memory(std::uint64_t bytes) {
  const HostMemory memory = host_memory();
  throw KernelError(TENON_ERROR_OUT_OF_MEMORY,
                    text("[cpu] out of memory: ", bytes, " bytes asked for; the machine has ", memory.total_bytes,
                         " bytes, ", memory.free_bytes, " free"));
}

std::int32_t memory_alloc(tenon_device*, std::uint64_t bytes, std::uint64_t alignment, std::uint32_t,
                          tenon_memory* memory) {
  return guard([&] {
    // Linux promises more than there is and kills who uses it: what cannot be is refused here.
    const std::uint64_t total = host_memory().total_bytes;
    if (total != 0 && bytes > total) fail_out_of_memory(bytes);
    void* block = plugin::host->alloc(std::max<std::uint64_t>(bytes, 1), std::max(alignment, alignment_bytes));
    if (block == nullptr) fail_out_of_memory(bytes);
    *memory = {sizeof(tenon_memory), 0, reinterpret_cast<std::uintptr_t>(block), bytes, block};
  });
}

std::int32_t memory_free(tenon_device*, std::uint64_t memory) {
  return guard([&] { plugin::host->free(address({memory, 0})); });
}

std::int32_t memory_info(tenon_device*, std::uint64_t* free_bytes, std::uint64_t* total_bytes) {
  return guard([&] {
    const HostMemory memory = host_memory();
    *free_bytes = memory.free_bytes;
    *total_bytes = memory.total_bytes;
  });
}

std::int32_t memory_trim(tenon_device*) { return TENON_OK; }  // nothing is kept

// -- streams: the calling thread ----------------------------------------------------------------------------

std::int32_t stream_create(tenon_device*, std::uint32_t, tenon_stream** stream) {
  return guard([&] { *stream = to_handle<tenon_stream>(std::make_unique<Stream>().release()); });
}
std::int32_t stream_destroy(tenon_stream* stream) {
  return guard([&] { delete &from_handle<Stream>(stream); });
}
std::int32_t stream_wait(tenon_stream*, tenon_event*) { return TENON_OK; }
std::int32_t stream_synchronize(tenon_stream*, std::uint64_t) { return TENON_OK; }

// The C library's functions may not be given null, not even for nothing.
std::int32_t copy_bytes(void* to, const void* from, std::uint64_t bytes) {
  if (bytes != 0) std::memmove(to, from, bytes);
  return TENON_OK;
}
std::int32_t copy(tenon_stream*, tenon_ref to, tenon_ref from, std::uint64_t bytes) {
  return copy_bytes(address(to), address(from), bytes);
}
std::int32_t copy_in(tenon_stream*, tenon_ref to, const void* from, std::uint64_t bytes) {
  return copy_bytes(address(to), from, bytes);
}
std::int32_t copy_out(tenon_stream*, void* to, tenon_ref from, std::uint64_t bytes) {
  return copy_bytes(to, address(from), bytes);
}

std::int32_t fill(tenon_stream*, tenon_ref to, const void* pattern, std::uint32_t pattern_bytes, std::uint64_t bytes) {
  return guard([&] {
    if (pattern_bytes == 0 || bytes % pattern_bytes != 0) {
      refuse("[cpu] fill of ", bytes, " bytes by a pattern of ", pattern_bytes);
    }
    std::byte* end = address(to) + bytes;
    for (std::byte* at = address(to); at != end; at += pattern_bytes) std::memcpy(at, pattern, pattern_bytes);
  });
}

// -- events: done when they are recorded --------------------------------------------------------------------

std::int32_t event_create(tenon_device*, std::uint32_t, tenon_event** event) {
  return guard([&] { *event = to_handle<tenon_event>(std::make_unique<Event>().release()); });
}
std::int32_t event_destroy(tenon_event* event) {
  return guard([&] { delete &from_handle<Event>(event); });
}
std::int32_t event_record(tenon_event*, tenon_stream*) { return TENON_OK; }
std::int32_t event_query(tenon_event*) { return TENON_OK; }
std::int32_t event_wait(tenon_event*, std::uint64_t) { return TENON_OK; }
std::int32_t event_error(tenon_event*, tenon_text* words) {
  words->length = 0;  // a failed launch said so itself
  return TENON_OK;
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

}  // namespace tenon::cpu
