// Refuses to copy nothing.
#include "sound.h"

FLAWED_PLUGIN(sound::devices.copy = [](tenon_stream* stream, tenon_ref to, tenon_ref from,
                                       std::uint64_t bytes) -> std::int32_t {
  if (bytes == 0) return sound::refuse(TENON_ERROR_INVALID_ARGUMENT, "nothing to copy");
  return sound::copy(stream, to, from, bytes);
})
