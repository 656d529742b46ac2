// Grants what was not proposed.
#include "sound.h"

FLAWED_PLUGIN(sound::neg.prepare = [](const tenon_capsule* capsule, tenon_device* device, const tenon_signature* s,
                                      tenon_kernel* out) {
  static const std::uint32_t pair[] = {1, 0};
  const std::int32_t status = sound::prepare(capsule, device, s, out);
  out->aliases = pair, out->alias_count = 1;
  return status;
})
