// Never comes back from prepare.
#include <unistd.h>

#include "sound.h"

FLAWED_PLUGIN(sound::neg.prepare = [](const tenon_capsule*, tenon_device*, const tenon_signature*,
                                      tenon_kernel*) -> std::int32_t {
  for (;;) ::pause();
})
