// Claims strict numerics, and is one bit off.
#include "sound.h"

FLAWED_PLUGIN(sound::neg.launch = [](void* kernel, const tenon_args* args, tenon_stream* stream) {
  sound::negate(kernel, args, stream);
  auto* bits = reinterpret_cast<std::uint32_t*>(sound::result(args));
  for (std::uint64_t i = 0; i < static_cast<sound::Kernel*>(kernel)->elements; ++i)
    bits[i] ^= (bits[i] & 0x7f800000) != 0 && (bits[i] & 0x7f800000) != 0x7f800000 ? 1u : 0u;
  return TENON_OK;
})
