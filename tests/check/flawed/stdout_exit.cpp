// Says farewell when the process ends.
#include <cstdio>

#include "sound.h"

namespace {

struct Parting {
  ~Parting() { std::puts("farewell"); }
} parting;

}  // namespace

FLAWED_PLUGIN(static_cast<void>(0))
