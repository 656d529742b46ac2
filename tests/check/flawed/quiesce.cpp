// Cannot quiesce twice.
#include "sound.h"

FLAWED_PLUGIN(sound::plugin.quiesce = [](void*) -> std::int32_t {
  static int asked = 0;
  return ++asked == 1 ? TENON_OK : sound::refuse(TENON_ERROR, "asleep already");
})
