// Is built with a sanitizer, by the look of it, and does not say so.
#include "sound.h"

extern "C" [[gnu::weak]] void __msan_init();

FLAWED_PLUGIN(sound::plugin.build = __msan_init != nullptr ? "checked" : "plain")
