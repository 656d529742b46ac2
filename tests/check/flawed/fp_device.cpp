// Opens a device that rounds up.
#include <cfenv>

#include "sound.h"

FLAWED_PLUGIN(sound::devices.open = [](void* self, std::uint32_t ordinal, std::uint64_t cookie,
                                       const tenon_attr* options, std::uint32_t count, tenon_device** device) {
  std::fesetround(FE_UPWARD);
  return sound::open(self, ordinal, cookie, options, count, device);
})
