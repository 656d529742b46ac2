// Starts a thread while it is loaded.
#include <unistd.h>

#include <thread>

#include "sound.h"

namespace {

struct Eager {
  Eager() {
    std::thread([] {
      for (;;) ::pause();
    }).detach();
  }
} eager;

}  // namespace

FLAWED_PLUGIN(static_cast<void>(0))
