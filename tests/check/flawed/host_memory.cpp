// Does not look whether the host had memory.
#include "sound.h"

FLAWED_PLUGIN(
    sound::devices.event_create = [](tenon_device*, std::uint32_t, tenon_event** event) -> std::int32_t {
      void* memory = sound::host->alloc(sizeof(sound::Object), 16);
      std::memset(memory, 0, sizeof(sound::Object));
      *event = static_cast<tenon_event*>(memory);
      return TENON_OK;
    };
    sound::devices.event_destroy = [](tenon_event* event) -> std::int32_t {
      return sound::host->free(event), TENON_OK;
    })
