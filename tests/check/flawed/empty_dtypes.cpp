// Lists a combination of no dtypes, and no other.
#include "sound.h"

FLAWED_PLUGIN(static const tenon_dtypes none = {0, 0, nullptr}; sound::neg.dtypes = &none)
