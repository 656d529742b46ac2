// Leaves a mandatory slot empty.
#include "sound.h"

FLAWED_PLUGIN(sound::devices.copy_in = nullptr)
