// Greets in a launch.
#include <cstdio>

#include "sound.h"

FLAWED_PLUGIN(sound::neg.launch = [](void* kernel, const tenon_args* args, tenon_stream* stream) {
  std::puts("hello");
  return sound::negate(kernel, args, stream);
})
