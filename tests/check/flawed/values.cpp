// Negates by doing nothing.
#include "sound.h"

FLAWED_PLUGIN(sound::neg.launch = sound::reshape)
