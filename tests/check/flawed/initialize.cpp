// Cannot be initialised.
#include "sound.h"

FLAWED_PLUGIN(sound::plugin.initialize = [](const tenon_attr*, std::uint32_t option_count, void**) -> std::int32_t {
  if (option_count != 0) return sound::refuse(TENON_ERROR_UNKNOWN_OPTION, "there are no options");
  return sound::refuse(TENON_ERROR, "the licence has expired");
})
