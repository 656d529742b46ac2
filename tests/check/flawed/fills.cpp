// Fills by the first byte of a pattern of two.
#include "sound.h"

FLAWED_PLUGIN(sound::devices.fill = [](tenon_stream* stream, tenon_ref to, const void* pattern,
                                       std::uint32_t pattern_bytes, std::uint64_t bytes) {
  return sound::fill(stream, to, pattern, pattern_bytes == 2 ? 1 : pattern_bytes, bytes);
})
