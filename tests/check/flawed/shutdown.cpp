// Ends the process when it is shut down.
#include "sound.h"

FLAWED_PLUGIN(sound::plugin.shutdown = [](void*) { std::abort(); })
