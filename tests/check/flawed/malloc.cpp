// Lets a want of memory out as an exception.
#include "sound.h"

FLAWED_PLUGIN(sound::devices.stream_create = [](tenon_device*, std::uint32_t, tenon_stream** stream) -> std::int32_t {
  *stream = reinterpret_cast<tenon_stream*>(new sound::Object);
  return TENON_OK;
})
