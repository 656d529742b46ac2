// Rounds up from the moment when it is loaded.
#include <cfenv>

#include "sound.h"

namespace {

struct Eager {
  Eager() { std::fesetround(FE_UPWARD); }
} eager;

}  // namespace

FLAWED_PLUGIN(static_cast<void>(0))
