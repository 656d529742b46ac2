// Asks the device before it answers.
#include "sound.h"

FLAWED_PLUGIN(sound::neg.supports = [](const tenon_capsule* capsule, tenon_device* device, const tenon_signature* s,
                                       tenon_text* reason) -> std::int32_t {
  if (device == nullptr) return sound::refuse(TENON_ERROR, "which device?");
  return sound::supports(capsule, device, s, reason);
})
