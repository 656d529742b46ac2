// A kernel belongs to the stream of its first launch, although it claims otherwise.
#include "sound.h"

FLAWED_PLUGIN(sound::neg.launch = [](void* kernel, const tenon_args* args, tenon_stream* stream) -> std::int32_t {
  auto& owner = static_cast<sound::Kernel*>(kernel)->owner;
  tenon_stream* none = nullptr;
  if (!owner.compare_exchange_strong(none, stream) && none != stream)
    return sound::refuse(TENON_ERROR, "another stream");
  return sound::negate(kernel, args, stream);
})
