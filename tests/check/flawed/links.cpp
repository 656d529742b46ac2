// Is linked with libtenon.so: see CMakeLists.txt.
#include "sound.h"

FLAWED_PLUGIN(static_cast<void>(0))
