// Has every extension.
#include "sound.h"

FLAWED_PLUGIN(sound::plugin.extension = [](void*, const char*, std::uint32_t) -> const void* { return &sound::plugin; })
