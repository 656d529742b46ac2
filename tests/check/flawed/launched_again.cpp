// A kernel works once.
#include "sound.h"

FLAWED_PLUGIN(sound::neg.launch = [](void* kernel, const tenon_args* args, tenon_stream* stream) -> std::int32_t {
  if (++static_cast<sound::Kernel*>(kernel)->launches > 1 && static_cast<sound::Kernel*>(kernel)->elements == 17)
    return sound::refuse(TENON_ERROR, "used up");
  return sound::negate(kernel, args, stream);
})
