// Accepts every format.
#include "sound.h"

FLAWED_PLUGIN(sound::neg.supports = [](const tenon_capsule* capsule, tenon_device* device, const tenon_signature* s,
                                       tenon_text* reason) {
  sound::Copy copy(*s);
  for (auto& v : copy.values) v.format = nullptr;
  return sound::supports(capsule, device, &copy.signature, reason);
})
