// Claims to be deterministic, and is one bit off each second time.
#include "sound.h"

FLAWED_PLUGIN(sound::numerics.flags = TENON_NUMERICS_DETERMINISTIC;
              sound::neg.launch = [](void* kernel, const tenon_args* args, tenon_stream* stream) {
                static std::uint32_t launches = 0;
                sound::negate(kernel, args, stream);
                auto* bits = reinterpret_cast<std::uint32_t*>(sound::result(args));
                if (static_cast<sound::Kernel*>(kernel)->elements == 17) bits[3] ^= ++launches % 2;
                return TENON_OK;
              })
