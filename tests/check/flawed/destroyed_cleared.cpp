// What a stream filled goes with it.
#include "sound.h"

namespace {

tenon_stream* filled_by = nullptr;
tenon_ref filled{};
std::uint64_t filled_bytes = 0;

}  // namespace

FLAWED_PLUGIN(
    sound::devices.fill =
        [](tenon_stream* stream, tenon_ref to, const void* pattern, std::uint32_t pattern_bytes, std::uint64_t bytes) {
          filled_by = stream, filled = to, filled_bytes = bytes;
          return sound::fill(stream, to, pattern, pattern_bytes, bytes);
        };
    sound::devices.stream_destroy =
        [](tenon_stream* stream) {
          if (stream == filled_by && filled_bytes != 0) std::memset(sound::address(filled), 0, filled_bytes);
          if (stream == filled_by) filled_by = nullptr;
          return sound::end(stream);
        };
    sound::devices.memory_free =
        [](tenon_device* device, std::uint64_t memory) {
          if (memory == filled.memory) filled_by = nullptr;
          return sound::memory_free(device, memory);
        })
