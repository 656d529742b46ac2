// A stream that waits for an event goes on at once: fills are late, and only their own stream waits for them.
#include "late_fills.h"

FLAWED_PLUGIN(late::fill_late(); sound::devices.stream_wait = sound::done)
