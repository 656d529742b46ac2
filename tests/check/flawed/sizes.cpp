// Says a size that its version does not have.
#include "sound.h"

FLAWED_PLUGIN(sound::plugin.size += 8)
