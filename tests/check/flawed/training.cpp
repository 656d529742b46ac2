// Serves evaluation only and does not say so.
#include "sound.h"

FLAWED_PLUGIN(sound::neg.supports = [](const tenon_capsule* capsule, tenon_device* device, const tenon_signature* s,
                                       tenon_text* reason) {
  if ((s->flags & TENON_SIGNATURE_TRAINING) != 0) return sound::decline(reason, "evaluation only");
  return sound::supports(capsule, device, s, reason);
})
