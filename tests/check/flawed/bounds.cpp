// Writes an element behind its result.
#include "sound.h"

FLAWED_PLUGIN(sound::neg.launch = [](void* kernel, const tenon_args* args, tenon_stream* stream) {
  const std::uint64_t elements = static_cast<sound::Kernel*>(kernel)->elements;
  if (elements == 17) sound::result(args)[elements] = 0;
  return sound::negate(kernel, args, stream);
})
