// Lets a want of memory in supports out as an exception.
#include <string>

#include "sound.h"

FLAWED_PLUGIN(sound::neg.supports = [](const tenon_capsule* capsule, tenon_device* device, const tenon_signature* s,
                                       tenon_text* reason) -> std::int32_t {
  const std::string words(100, static_cast<char>(s->value_count));
  return words.size() == 100 ? sound::supports(capsule, device, s, reason) : TENON_ERROR;
})
