// Lets an exception out of prepare.
#include <stdexcept>

#include "sound.h"

FLAWED_PLUGIN(sound::neg.prepare = [](const tenon_capsule* capsule, tenon_device* device, const tenon_signature* s,
                                      tenon_kernel* out) {
  const std::int32_t status = sound::prepare(capsule, device, s, out);
  if (status != TENON_OK) throw std::runtime_error("I was not asked for this");
  return status;
})
