// Runs backwards in time.
#include "sound.h"

FLAWED_PLUGIN(sound::devices.event_elapsed_ns = [](tenon_event*, tenon_event*, std::uint64_t* ns) -> std::int32_t {
  *ns = ~std::uint64_t{0} - 5;
  return TENON_OK;
})
