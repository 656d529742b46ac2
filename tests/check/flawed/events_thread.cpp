// Makes events in one thread only.
#include <thread>

#include "sound.h"

FLAWED_PLUGIN(sound::devices.event_create = [](tenon_device*, std::uint32_t, tenon_event** event) -> std::int32_t {
  static const std::thread::id first = std::this_thread::get_id();
  if (std::this_thread::get_id() != first) return sound::refuse(TENON_ERROR, "another thread");
  return sound::make(event);
})
