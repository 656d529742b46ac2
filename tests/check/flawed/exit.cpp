// Changes the exit status of the process.
#include <unistd.h>

#include "sound.h"

namespace {

struct Parting {
  ~Parting() { ::_exit(3); }
} parting;

}  // namespace

FLAWED_PLUGIN(static_cast<void>(0))
