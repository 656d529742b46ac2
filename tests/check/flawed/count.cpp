// Accepts a missing operand.
#include "sound.h"

FLAWED_PLUGIN(sound::neg.supports = [](const tenon_capsule* capsule, tenon_device* device, const tenon_signature* s,
                                       tenon_text* reason) {
  sound::Copy copy(*s);
  copy.node.input_count = 1;
  return sound::supports(capsule, device, &copy.signature, reason);
})
