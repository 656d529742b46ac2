// Copies a byte too many.
#include "sound.h"

FLAWED_PLUGIN(sound::devices.copy = [](tenon_stream*, tenon_ref to, tenon_ref from, std::uint64_t bytes) {
  return sound::move(sound::address(to), sound::address(from), bytes % 64 == 0 ? bytes : bytes + 1);
})
