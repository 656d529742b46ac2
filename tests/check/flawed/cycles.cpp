// Can be opened ten times.
#include "sound.h"

FLAWED_PLUGIN(sound::devices.open = [](void* self, std::uint32_t ordinal, std::uint64_t cookie,
                                       const tenon_attr* options, std::uint32_t count,
                                       tenon_device** device) -> std::int32_t {
  static int opened = 0;
  if (ordinal == 0 && count == 0 && ++opened > 10) return sound::refuse(TENON_ERROR, "no more handles");
  return sound::open(self, ordinal, cookie, options, count, device);
})
