// Trims memory that lives.
#include "sound.h"

namespace {

tenon_memory last{};

}  // namespace

FLAWED_PLUGIN(
    sound::devices.memory_alloc = [](tenon_device* device, std::uint64_t bytes, std::uint64_t alignment,
                                     std::uint32_t kind, tenon_memory* memory) -> std::int32_t {
      const std::int32_t status = sound::memory_alloc(device, bytes, alignment, kind, memory);
      if (status == TENON_OK) last = *memory;
      return status;
    };
    sound::devices.memory_free =
        [](tenon_device* device, std::uint64_t memory) {
          if (memory == last.memory) last = {};
          return sound::memory_free(device, memory);
        };
    sound::devices.memory_trim = [](tenon_device*) -> std::int32_t {
      if (last.host != nullptr) std::memset(last.host, 0, last.bytes);
      return TENON_OK;
    })
