// Declines without a reason.
#include "sound.h"

FLAWED_PLUGIN(sound::neg.supports = [](const tenon_capsule* capsule, tenon_device* device, const tenon_signature* s,
                                       tenon_text* reason) {
  const std::int32_t status = sound::supports(capsule, device, s, reason);
  reason->length = 0;
  return status;
})
