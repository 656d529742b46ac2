// Waits for an event without waiting.
#include "late_reads.h"

FLAWED_PLUGIN(late::read_late())
