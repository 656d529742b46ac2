// An event that was recorded once is done for ever: a copy_out is late, and the event does not wait for it again.
#include "late_reads.h"

namespace {

int& recorded(tenon_event* event) { return reinterpret_cast<sound::Object*>(event)->unused; }

}  // namespace

FLAWED_PLUGIN(
    late::read_late();
    sound::devices.event_record = [](tenon_event* event, tenon_stream*) { return ++recorded(event), TENON_OK; };
    sound::devices.event_wait = [](tenon_event* event, std::uint64_t) -> std::int32_t {
      if (recorded(event) == 1) late::finish();
      return TENON_OK;
    })
