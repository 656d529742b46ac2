// Promises a gradient of its own and brings none.
#include "sound.h"

FLAWED_PLUGIN(sound::neg.gradient = TENON_GRADIENT_OWN)
