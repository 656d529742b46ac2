// Wants an alignment that is no power of two.
#include "sound.h"

FLAWED_PLUGIN(sound::devices.enumerate = [](void*, tenon_device_sink* sink, void* context) -> std::int32_t {
  tenon_device_info info = sound::info();
  info.offset_alignment_bytes = 48;
  sink(context, &info);
  return TENON_OK;
})
