// An event that was recorded once is done for ever: a copy_out is late, and the event does not wait for it again.
#include "sound.h"

namespace {

void* late_to = nullptr;
const void* late_from = nullptr;

void finish() {
  if (late_to != nullptr) std::memmove(late_to, late_from, 4096);
  late_to = nullptr;
}

int& recorded(tenon_event* event) { return reinterpret_cast<sound::Object*>(event)->unused; }

}  // namespace

FLAWED_PLUGIN(
    sound::devices.copy_out = [](tenon_stream*, void* to, tenon_ref from, std::uint64_t bytes) -> std::int32_t {
      if (bytes != 4096) return sound::move(to, sound::address(from), bytes);
      late_to = to, late_from = sound::address(from);
      return TENON_OK;
    };
    sound::devices.stream_synchronize = [](tenon_stream*, std::uint64_t) { return finish(), TENON_OK; };
    sound::devices.event_record = [](tenon_event* event, tenon_stream*) { return ++recorded(event), TENON_OK; };
    sound::devices.event_wait = [](tenon_event* event, std::uint64_t) -> std::int32_t {
      if (recorded(event) == 1) finish();
      return TENON_OK;
    })
