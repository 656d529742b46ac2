// Fills one graph slot of four.
#include "sound.h"

FLAWED_PLUGIN(sound::devices.graph_begin = sound::done)
