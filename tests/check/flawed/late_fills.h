// late_fills.h: fills that are done when something needs them: the next work of their stream, a wait for it or for an
// event, or a stream that waits for one. One thread.
#pragma once
#include <list>

#include "sound.h"

namespace late {

struct Fill {
  tenon_stream* stream;
  tenon_ref to;
  char pattern[8];
  std::uint32_t pattern_bytes;
  std::uint64_t bytes;
};
inline std::list<Fill> fills;
inline char last_pattern[8] = {};
inline bool share_pattern = false;

/// Those of one stream, or all.
inline void finish(const tenon_stream* stream = nullptr) {
  for (auto fill = fills.begin(); fill != fills.end();) {
    const bool is_meant = stream == nullptr || fill->stream == stream;
    if (is_meant)
      sound::fill(nullptr, fill->to, share_pattern ? last_pattern : fill->pattern, fill->pattern_bytes, fill->bytes);
    fill = is_meant ? fills.erase(fill) : std::next(fill);
  }
}

inline std::int32_t fill(tenon_stream* stream, tenon_ref to, const void* pattern, std::uint32_t pattern_bytes,
                         std::uint64_t bytes) {
  finish(stream);
  Fill& late = fills.emplace_back(Fill{stream, to, {}, pattern_bytes, bytes});
  std::memcpy(late.pattern, pattern, pattern_bytes);
  std::memcpy(last_pattern, pattern, pattern_bytes);
  return TENON_OK;
}

/// The slots that see to it.
inline void fill_late() {
  sound::devices.fill = fill;
  sound::devices.copy = [](tenon_stream* stream, tenon_ref to, tenon_ref from, std::uint64_t bytes) {
    return finish(stream), sound::copy(stream, to, from, bytes);
  };
  sound::devices.copy_in = [](tenon_stream* stream, tenon_ref to, const void* from, std::uint64_t bytes) {
    return finish(stream), sound::copy_in(stream, to, from, bytes);
  };
  sound::devices.copy_out = [](tenon_stream* stream, void* to, tenon_ref from, std::uint64_t bytes) {
    return finish(stream), sound::copy_out(stream, to, from, bytes);
  };
  sound::devices.stream_synchronize = [](tenon_stream* stream, std::uint64_t) { return finish(stream), TENON_OK; };
  sound::devices.stream_destroy = [](tenon_stream* stream) { return finish(stream), sound::end(stream); };
  sound::devices.memory_free = [](tenon_device* device, std::uint64_t memory) {
    fills.remove_if([&](const Fill& fill) { return fill.to.memory == memory; });
    return sound::memory_free(device, memory);
  };
  sound::devices.stream_wait = [](tenon_stream*, tenon_event*) { return finish(), TENON_OK; };
  sound::devices.event_query = [](tenon_event*) { return finish(), TENON_OK; };
  sound::devices.event_wait = [](tenon_event*, std::uint64_t) { return finish(), TENON_OK; };
}

}  // namespace late
