// Rounds up from its first launch on.
#include <cfenv>

#include "sound.h"

FLAWED_PLUGIN(sound::neg.launch = [](void* kernel, const tenon_args* args, tenon_stream* stream) {
  std::fesetround(FE_UPWARD);
  return sound::negate(kernel, args, stream);
})
