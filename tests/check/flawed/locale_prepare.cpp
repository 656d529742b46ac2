// Gives the thread that prepares a kernel a locale of its own.
#include <clocale>

#include "sound.h"

FLAWED_PLUGIN(sound::neg.prepare = [](const tenon_capsule* capsule, tenon_device* device, const tenon_signature* s,
                                      tenon_kernel* out) {
  static const locale_t plain = ::newlocale(LC_ALL_MASK, "C", nullptr);
  ::uselocale(plain);
  return sound::prepare(capsule, device, s, out);
})
