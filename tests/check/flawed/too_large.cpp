// Takes a want of memory for a fault of its caller.
#include "sound.h"

FLAWED_PLUGIN(sound::devices.memory_alloc = [](tenon_device* device, std::uint64_t bytes, std::uint64_t alignment,
                                               std::uint32_t kind, tenon_memory* memory) -> std::int32_t {
  if (bytes >> 40 != 0) return sound::refuse(TENON_ERROR_INVALID_ARGUMENT, "too many bytes");
  return sound::memory_alloc(device, bytes, alignment, kind, memory);
})
