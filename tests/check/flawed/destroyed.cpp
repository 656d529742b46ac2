// Does not destroy a stream without complaint.
#include "sound.h"

FLAWED_PLUGIN(sound::devices.stream_destroy = [](tenon_stream* stream) -> std::int32_t {
  sound::end(stream);
  return sound::refuse(TENON_ERROR, "work is left");
})
