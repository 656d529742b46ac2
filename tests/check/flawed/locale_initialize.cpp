// Sets a locale of its own for all of C++ when it is initialised.
#include <locale>

#include "sound.h"

FLAWED_PLUGIN(sound::plugin.initialize = [](const tenon_attr* options, std::uint32_t count, void** self) {
  std::locale::global(std::locale(std::locale::classic(), new std::numpunct<char>));
  return sound::initialize(options, count, self);
})
