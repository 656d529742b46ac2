// Accepts every dtype.
#include "sound.h"

FLAWED_PLUGIN(sound::neg.supports = [](const tenon_capsule* capsule, tenon_device* device, const tenon_signature* s,
                                       tenon_text* reason) {
  sound::Copy copy(*s);
  for (auto& v : copy.values) v.dtype = sound::f32[0];
  return sound::supports(capsule, device, &copy.signature, reason);
})
