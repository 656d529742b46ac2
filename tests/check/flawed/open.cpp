// Opens nothing.
#include "sound.h"

FLAWED_PLUGIN(sound::devices.open = [](void*, std::uint32_t, std::uint64_t, const tenon_attr*, std::uint32_t,
                                       tenon_device**) -> std::int32_t { return TENON_UNIMPLEMENTED; })
