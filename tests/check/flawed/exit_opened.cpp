// Changes the exit status of a process that opened its device.
#include <unistd.h>

#include "sound.h"

namespace {

struct Parting {
  bool was_opened = false;
  ~Parting() {
    if (was_opened) ::_exit(3);
  }
} parting;

}  // namespace

FLAWED_PLUGIN(sound::devices.open = [](void* self, std::uint32_t ordinal, std::uint64_t cookie,
                                       const tenon_attr* options, std::uint32_t count, tenon_device** device) {
  parting.was_opened = true;
  return sound::open(self, ordinal, cookie, options, count, device);
})
