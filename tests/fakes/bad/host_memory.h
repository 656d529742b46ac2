// host_memory.h: the slots of a device that works: its memory is the host's, its work is done when a slot returns. Each
// first gives misdeed.h its chance.
#pragma once
#include <cstdlib>
#include <cstring>

#include "faulty.h"
#include "misdeed.h"

namespace faulty {

inline std::byte* address(tenon_ref at) { return reinterpret_cast<std::byte*>(at.memory + at.offset_bytes); }

/// With FAULTY_MEMORY=none, there is none.
inline std::int32_t allocate(tenon_device*, std::uint64_t bytes, std::uint64_t alignment, std::uint32_t,
                             tenon_memory* memory) {
  reach("memory_alloc");
  if (variable("FAULTY_MEMORY") == "none") return TENON_ERROR_OUT_OF_MEMORY;
  memory->host = std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
  memory->memory = reinterpret_cast<std::uint64_t>(memory->host);
  memory->bytes = bytes;
  return TENON_OK;
}

inline std::int32_t fill(tenon_stream*, tenon_ref to, const void* pattern, std::uint32_t pattern_bytes,
                         std::uint64_t bytes) {
  reach("fill");
  for (std::uint64_t i = 0; i < bytes; i += pattern_bytes) std::memcpy(address(to) + i, pattern, pattern_bytes);
  return TENON_OK;
}

/// Does nothing but be reached.
template <const auto& where, class... Arguments>
std::int32_t reached(Arguments...) {
  reach(where);
  return TENON_OK;
}

inline std::int32_t event_create(tenon_device*, std::uint32_t, tenon_event** event) {
  reach("event_create");
  *event = reinterpret_cast<tenon_event*>(&place[0]);
  return TENON_OK;
}

inline std::int32_t event_elapsed_ns(tenon_event*, tenon_event*, std::uint64_t* nanoseconds) {
  reach("event_elapsed_ns");
  *nanoseconds = 1000;
  return TENON_OK;
}

inline void set_events(tenon_devices& t) {
  static constexpr char destroy[] = "event_destroy", record[] = "event_record", wait[] = "event_wait";
  t.event_create = event_create;
  t.event_destroy = reached<destroy>;
  t.event_record = reached<record>;
  t.event_wait = reached<wait>;
  t.event_elapsed_ns = event_elapsed_ns;
}

inline void set_memory(tenon_devices& t) {
  static constexpr char info[] = "memory_info", trim[] = "memory_trim";
  t.memory_alloc = allocate;
  t.memory_free = [](tenon_device*, std::uint64_t memory) -> std::int32_t {
    std::free(reinterpret_cast<void*>(memory));
    reach("memory_free");
    return TENON_OK;
  };
  t.memory_info = reached<info>;
  t.memory_trim = reached<trim>;
  t.fill = fill;
  t.copy = [](tenon_stream*, tenon_ref to, tenon_ref from, std::uint64_t bytes) -> std::int32_t {
    reach("copy");
    std::memcpy(address(to), address(from), bytes);
    return TENON_OK;
  };
  t.copy_in = [](tenon_stream*, tenon_ref to, const void* from, std::uint64_t bytes) -> std::int32_t {
    reach("copy_in");
    std::memcpy(address(to), from, bytes);
    return TENON_OK;
  };
  t.copy_out = [](tenon_stream*, void* to, tenon_ref from, std::uint64_t bytes) -> std::int32_t {
    reach("copy_out");
    std::memcpy(to, address(from), bytes);
    return TENON_OK;
  };
}

inline void set_streams(tenon_devices& t) {
  static constexpr char close[] = "close", destroy[] = "stream_destroy", synchronize[] = "stream_synchronize";
  t.open = [](void* self, std::uint32_t ordinal, std::uint64_t cookie, const tenon_attr* options, std::uint32_t count,
              tenon_device** device) -> std::int32_t {
    reach("open");
    return open(self, ordinal, cookie, options, count, device);
  };
  t.close = reached<close>;
  t.stream_create = [](tenon_device* device, std::uint32_t flags, tenon_stream** stream) -> std::int32_t {
    reach("stream_create");
    return stream_create(device, flags, stream);
  };
  t.stream_destroy = reached<destroy>;
  t.stream_synchronize = reached<synchronize>;
}

}  // namespace faulty
