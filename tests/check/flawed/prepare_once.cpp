// Prepares in the thread that came first.
#include <thread>

#include "sound.h"

FLAWED_PLUGIN(sound::neg.prepare = [](const tenon_capsule* capsule, tenon_device* device, const tenon_signature* s,
                                      tenon_kernel* out) -> std::int32_t {
  static const std::thread::id first = std::this_thread::get_id();
  if (std::this_thread::get_id() != first) return sound::refuse(TENON_ERROR, "another thread");
  return sound::prepare(capsule, device, s, out);
})
