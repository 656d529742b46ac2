// Changes C's locale while it looks for devices.
#include <clocale>

#include "sound.h"

FLAWED_PLUGIN(sound::devices.enumerate = [](void* self, tenon_device_sink* sink, void* context) {
  std::setlocale(LC_NUMERIC, "C.UTF-8");
  return sound::enumerate(self, sink, context);
})
