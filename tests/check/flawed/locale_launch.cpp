// Changes C's locale in a launch.
#include <clocale>

#include "sound.h"

FLAWED_PLUGIN(sound::neg.launch = [](void* kernel, const tenon_args* args, tenon_stream* stream) {
  std::setlocale(LC_ALL, "C.UTF-8");
  return sound::negate(kernel, args, stream);
})
