// Does not close without complaint.
#include "sound.h"

FLAWED_PLUGIN(sound::devices.close = [](tenon_device* device) -> std::int32_t {
  sound::end(device);
  return sound::refuse(TENON_ERROR, "the door sticks");
})
