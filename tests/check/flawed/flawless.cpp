// Spoils nothing.
#include "sound.h"

FLAWED_PLUGIN(static_cast<void>(0))
