// Changes the exit status of a process that launched its kernel.
#include <unistd.h>

#include "sound.h"

namespace {

struct Parting {
  bool was_launched = false;
  ~Parting() {
    if (was_launched) ::_exit(3);
  }
} parting;

}  // namespace

FLAWED_PLUGIN(sound::neg.launch = [](void* kernel, const tenon_args* args, tenon_stream* stream) {
  parting.was_launched = true;
  return sound::negate(kernel, args, stream);
})
