// Allocates in a launch.
#include "sound.h"

FLAWED_PLUGIN(sound::neg.launch = [](void* kernel, const tenon_args* args, tenon_stream* stream) {
  void* volatile scratch = std::malloc(100);
  std::free(scratch);
  return sound::negate(kernel, args, stream);
})
