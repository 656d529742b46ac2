// Cannot wait across streams.
#include "sound.h"

FLAWED_PLUGIN(sound::devices.stream_wait = [](tenon_stream*, tenon_event*) -> std::int32_t {
  return TENON_UNIMPLEMENTED;
})
