// Exports a function of its own.
#include "sound.h"

extern "C" TENON_EXPORT int vendor_helper() { return 1; }

FLAWED_PLUGIN(static_cast<void>(0))
