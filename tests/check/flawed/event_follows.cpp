// Waits for an event without waiting.
#include "sound.h"

namespace {

void* late_to = nullptr;
const void* late_from = nullptr;

}  // namespace

FLAWED_PLUGIN(
    sound::devices.copy_out = [](tenon_stream*, void* to, tenon_ref from, std::uint64_t bytes) -> std::int32_t {
      if (bytes != 4096) return sound::move(to, sound::address(from), bytes);
      late_to = to, late_from = sound::address(from);
      return TENON_OK;
    };
    sound::devices.stream_synchronize = [](tenon_stream*, std::uint64_t) -> std::int32_t {
      if (late_to != nullptr) std::memmove(late_to, late_from, 4096);
      late_to = nullptr;
      return TENON_OK;
    })
