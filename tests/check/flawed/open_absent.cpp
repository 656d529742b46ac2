// Opens whatever ordinal it is given.
#include "sound.h"

FLAWED_PLUGIN(sound::devices.open = [](void* self, std::uint32_t, std::uint64_t cookie, const tenon_attr* options,
                                       std::uint32_t count, tenon_device** device) {
  return sound::open(self, 0, cookie, options, count, device);
})
