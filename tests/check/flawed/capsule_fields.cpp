// A capsule without a function to launch.
#include "sound.h"

FLAWED_PLUGIN(sound::reshaper.launch = nullptr)
