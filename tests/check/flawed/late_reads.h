// late_reads.h: a large copy_out that is done when the stream is waited for, or when finish() is called. One thread.
#pragma once
#include "sound.h"

namespace late {

inline constexpr std::uint64_t read_bytes = 4096;
inline void* read_to = nullptr;
inline const void* read_from = nullptr;

inline void finish() {
  if (read_to != nullptr) std::memmove(read_to, read_from, read_bytes);
  read_to = nullptr;
}

/// The slots that see to it.
inline void read_late() {
  sound::devices.copy_out = [](tenon_stream*, void* to, tenon_ref from, std::uint64_t bytes) -> std::int32_t {
    if (bytes != read_bytes) return sound::move(to, sound::address(from), bytes);
    read_to = to, read_from = sound::address(from);
    return TENON_OK;
  };
  sound::devices.stream_synchronize = [](tenon_stream*, std::uint64_t) { return finish(), TENON_OK; };
}

}  // namespace late
