// Fails without a word where the host has no memory.
#include "sound.h"

FLAWED_PLUGIN(sound::neg.prepare = [](const tenon_capsule* capsule, tenon_device* device, const tenon_signature* s,
                                      tenon_kernel* out) -> std::int32_t {
  void* table = sound::host->alloc(64, 16);
  if (table == nullptr) return TENON_ERROR_OUT_OF_MEMORY;
  sound::host->free(table);
  return sound::prepare(capsule, device, s, out);
})
