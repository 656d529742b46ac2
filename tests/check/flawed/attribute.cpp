// Accepts every attribute.
#include "sound.h"

FLAWED_PLUGIN(sound::neg.supports = [](const tenon_capsule* capsule, tenon_device* device, const tenon_signature* s,
                                       tenon_text* reason) {
  sound::Copy copy(*s);
  copy.node.attr_count = 0;
  return sound::supports(capsule, device, &copy.signature, reason);
})
