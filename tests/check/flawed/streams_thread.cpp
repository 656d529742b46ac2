// All streams share one buffer.
#include <thread>

#include "sound.h"

FLAWED_PLUGIN(sound::devices.copy_out = [](tenon_stream*, void* to, tenon_ref from,
                                           std::uint64_t bytes) -> std::int32_t {
  static const std::thread::id first = std::this_thread::get_id();
  if (std::this_thread::get_id() != first) return sound::refuse(TENON_ERROR, "another thread");
  return sound::move(to, sound::address(from), bytes);
})
