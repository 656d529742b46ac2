// Lets a want of memory in prepare out as an exception.
#include <string>

#include "sound.h"

FLAWED_PLUGIN(sound::neg.prepare = [](const tenon_capsule* capsule, tenon_device* device, const tenon_signature* s,
                                      tenon_kernel* out) -> std::int32_t {
  const std::string words(100, static_cast<char>(s->value_count));
  return words.size() == 100 ? sound::prepare(capsule, device, s, out) : TENON_ERROR;
})
