// Lets something out of the second launch of a kernel that is no exception of the library.
#include "sound.h"

FLAWED_PLUGIN(sound::neg.launch = [](void* kernel, const tenon_args* args, tenon_stream* stream) {
  if (++static_cast<sound::Kernel*>(kernel)->launches > 1) throw 1;
  return sound::negate(kernel, args, stream);
})
