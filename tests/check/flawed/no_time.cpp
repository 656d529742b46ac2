// Takes a wait without time for a failure.
#include "sound.h"

FLAWED_PLUGIN(sound::devices.event_wait = [](tenon_event*, std::uint64_t timeout_ns) -> std::int32_t {
  return timeout_ns != 0 ? TENON_OK : sound::refuse(TENON_ERROR, "no time");
})
