// A kernel gives other values when it is launched again.
#include "sound.h"

FLAWED_PLUGIN(sound::neg.launch = [](void* kernel, const tenon_args* args, tenon_stream* stream) {
  auto& own = *static_cast<sound::Kernel*>(kernel);
  sound::negate(kernel, args, stream);
  if (++own.launches > 1 && own.elements == 17) sound::result(args)[3] += 1;
  return TENON_OK;
})
