// Declines everything.
#include "sound.h"

FLAWED_PLUGIN(sound::neg.supports = [](const tenon_capsule*, tenon_device*, const tenon_signature*,
                                       tenon_text* reason) { return sound::decline(reason, "not today"); })
