// Accepts every layout.
#include "sound.h"

FLAWED_PLUGIN(sound::neg.supports = [](const tenon_capsule* capsule, tenon_device* device, const tenon_signature* s,
                                       tenon_text* reason) {
  sound::Copy copy(*s);
  for (auto& v : copy.values) v.layout = TENON_LAYOUT_DENSE;
  return sound::supports(capsule, device, &copy.signature, reason);
})
