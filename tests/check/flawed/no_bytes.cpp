// Gives the handle 0 for an allocation of nothing.
#include "sound.h"

FLAWED_PLUGIN(sound::devices.memory_alloc = [](tenon_device* device, std::uint64_t bytes, std::uint64_t alignment,
                                               std::uint32_t kind, tenon_memory* memory) -> std::int32_t {
  if (bytes == 0) return memory->memory = 0, TENON_OK;
  return sound::memory_alloc(device, bytes, alignment, kind, memory);
})
