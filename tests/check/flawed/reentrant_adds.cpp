// A kernel gives other values on a second stream, although it claims otherwise.
#include "sound.h"

FLAWED_PLUGIN(sound::neg.launch = [](void* kernel, const tenon_args* args, tenon_stream* stream) {
  auto& owner = static_cast<sound::Kernel*>(kernel)->owner;
  tenon_stream* none = nullptr;
  const bool is_own = owner.compare_exchange_strong(none, stream) || none == stream;
  sound::negate(kernel, args, stream);
  if (!is_own) sound::result(args)[0] += 1;
  return TENON_OK;
})
