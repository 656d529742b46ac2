// Takes every option of open.
#include "sound.h"

FLAWED_PLUGIN(sound::devices.open = [](void* self, std::uint32_t ordinal, std::uint64_t cookie,
                                       const tenon_attr* options, std::uint32_t, tenon_device** device) {
  return sound::open(self, ordinal, cookie, options, 0, device);
})
