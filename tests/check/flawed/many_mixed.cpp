// Fills are late, and all streams share the place of the pattern.
#include "late_fills.h"

FLAWED_PLUGIN(late::fill_late(); late::share_pattern = true)
