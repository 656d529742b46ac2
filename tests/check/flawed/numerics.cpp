// A policy that does not exist.
#include "sound.h"

FLAWED_PLUGIN(sound::numerics.rounding = 9)
