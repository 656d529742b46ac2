// Takes every option of initialize.
#include "sound.h"

FLAWED_PLUGIN(sound::plugin.initialize = [](const tenon_attr*, std::uint32_t, void** self) -> std::int32_t {
  *self = nullptr;
  return TENON_OK;
})
