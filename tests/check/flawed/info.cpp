// Has more free than there is.
#include "sound.h"

FLAWED_PLUGIN(sound::devices.memory_info = [](tenon_device*, std::uint64_t* free_bytes,
                                              std::uint64_t* total_bytes) -> std::int32_t {
  *free_bytes = 2, *total_bytes = 1;
  return TENON_OK;
})
