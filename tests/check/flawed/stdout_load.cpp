// Greets as soon as it is loaded.
#include <cstdio>

#include "sound.h"

namespace {

struct Greeting {
  Greeting() { std::puts("hello"); }
} greeting;

}  // namespace

FLAWED_PLUGIN(static_cast<void>(0))
