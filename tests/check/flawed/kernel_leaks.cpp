// Keeps something of each kernel.
#include "sound.h"

FLAWED_PLUGIN(sound::neg.prepare = [](const tenon_capsule* capsule, tenon_device* device, const tenon_signature* s,
                                      tenon_kernel* out) {
  const std::int32_t status = sound::prepare(capsule, device, s, out);
  if (status == TENON_OK) static_cast<void>(sound::host->alloc(64, 16));
  return status;
})
