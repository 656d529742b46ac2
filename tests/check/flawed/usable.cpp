// Finds no driver.
#include "sound.h"

FLAWED_PLUGIN(sound::devices.enumerate = [](void*, tenon_device_sink* sink, void* context) -> std::int32_t {
  tenon_device_info info = sound::info();
  info.usable = TENON_REASON_DRIVER_MISSING;
  info.why_unusable = "no driver";
  sink(context, &info);
  return TENON_OK;
})
