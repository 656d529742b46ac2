// Cannot trim.
#include "sound.h"

FLAWED_PLUGIN(sound::devices.memory_trim = [](tenon_device*) -> std::int32_t { return TENON_UNIMPLEMENTED; })
