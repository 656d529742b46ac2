// Can record an event once.
#include "sound.h"

FLAWED_PLUGIN(sound::devices.event_record = [](tenon_event* event, tenon_stream*) -> std::int32_t {
  int& recorded = reinterpret_cast<sound::Object*>(event)->unused;
  return ++recorded == 1 ? TENON_OK : sound::refuse(TENON_ERROR, "recorded already");
})
