// Copies whole words only.
#include "sound.h"

FLAWED_PLUGIN(sound::devices.copy_in = [](tenon_stream*, tenon_ref to, const void* from, std::uint64_t bytes) {
  return sound::move(sound::address(to), from, bytes == 3 ? 0 : bytes);
})
