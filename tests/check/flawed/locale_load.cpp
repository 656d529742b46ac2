// Changes C's locale as soon as it is loaded.
#include <clocale>

#include "sound.h"

namespace {

struct Eager {
  Eager() { std::setlocale(LC_ALL, "C.UTF-8"); }
} eager;

}  // namespace

FLAWED_PLUGIN(static_cast<void>(0))
