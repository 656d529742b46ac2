// Gives the thread that copies a locale of its own.
#include <clocale>

#include "sound.h"

FLAWED_PLUGIN(sound::devices.copy = [](tenon_stream* stream, tenon_ref to, tenon_ref from, std::uint64_t bytes) {
  static const locale_t plain = ::newlocale(LC_ALL_MASK, "C", nullptr);
  ::uselocale(plain);
  return sound::copy(stream, to, from, bytes);
})
