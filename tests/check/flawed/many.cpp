// Has eight streams, one of which is the device's own.
#include <atomic>

#include "sound.h"

namespace {

std::atomic<int> streams{0};

}  // namespace

FLAWED_PLUGIN(
    sound::devices.stream_create = [](tenon_device*, std::uint32_t, tenon_stream** stream) -> std::int32_t {
      if (++streams > 8) return --streams, sound::refuse(TENON_ERROR, "no more streams");
      return sound::make(stream);
    };
    sound::devices.stream_destroy = [](tenon_stream* stream) { return --streams, sound::end(stream); })
