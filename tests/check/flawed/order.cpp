// Fills before it does anything else.
#include "sound.h"

namespace {

char* late_to = nullptr;
const char* late_from = nullptr;

}  // namespace

FLAWED_PLUGIN(
    sound::devices.copy = [](tenon_stream*, tenon_ref to, tenon_ref from, std::uint64_t bytes) -> std::int32_t {
      if (bytes != 4096) return sound::copy(nullptr, to, from, bytes);
      late_to = sound::address(to), late_from = sound::address(from);
      return TENON_OK;
    };
    sound::devices.stream_synchronize = [](tenon_stream*, std::uint64_t) -> std::int32_t {
      if (late_to != nullptr) std::memmove(late_to, late_from, 4096);
      late_to = nullptr;
      return TENON_OK;
    })
