// A contract has a claim that does not exist.
#include "sound.h"

FLAWED_PLUGIN(sound::contracts[TENON_CONTRACT_LAYOUT].claim = 0)
