// Grants a place and does not say which.
#include "sound.h"

FLAWED_PLUGIN(sound::neg.prepare = [](const tenon_capsule* capsule, tenon_device* device, const tenon_signature* s,
                                      tenon_kernel* out) {
  const std::int32_t status = sound::prepare(capsule, device, s, out);
  out->aliases = nullptr, out->alias_count = 1;
  return status;
})
