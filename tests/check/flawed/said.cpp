// Says less memory than it gave.
#include "sound.h"

FLAWED_PLUGIN(sound::devices.memory_alloc = [](tenon_device* device, std::uint64_t bytes, std::uint64_t alignment,
                                               std::uint32_t kind, tenon_memory* memory) {
  const std::int32_t status = sound::memory_alloc(device, bytes, alignment, kind, memory);
  if (status == TENON_OK) --memory->bytes;
  return status;
})
