// Gives memory to one thread only.
#include <thread>

#include "sound.h"

FLAWED_PLUGIN(sound::devices.memory_alloc = [](tenon_device* device, std::uint64_t bytes, std::uint64_t alignment,
                                               std::uint32_t kind, tenon_memory* memory) -> std::int32_t {
  static const std::thread::id first = std::this_thread::get_id();
  if (std::this_thread::get_id() != first) return sound::refuse(TENON_ERROR, "another thread");
  return sound::memory_alloc(device, bytes, alignment, kind, memory);
})
