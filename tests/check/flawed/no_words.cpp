// Always has something to say about an event.
#include "sound.h"

FLAWED_PLUGIN(sound::devices.event_error = [](tenon_event*, tenon_text* text) -> std::int32_t {
  std::memcpy(text->data, "fine", 4);
  text->length = 4;
  return TENON_OK;
})
