// Rounds up from the moment when it is initialised.
#include <cfenv>

#include "sound.h"

FLAWED_PLUGIN(sound::plugin.initialize = [](const tenon_attr* options, std::uint32_t count, void** self) {
  std::fesetround(FE_UPWARD);
  return sound::initialize(options, count, self);
})
