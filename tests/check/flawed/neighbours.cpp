// Writes a trailer behind small pieces, where a page of another stands.
#include "sound.h"

namespace {

char* page = nullptr;
int pages = 0;

}  // namespace

FLAWED_PLUGIN(
    sound::devices.memory_alloc =
        [](tenon_device* device, std::uint64_t bytes, std::uint64_t alignment, std::uint32_t kind,
           tenon_memory* memory) {
          const std::int32_t status = sound::memory_alloc(device, bytes, alignment, kind, memory);
          if (status == TENON_OK && bytes == 4097 && ++pages == 15) page = static_cast<char*>(memory->host);
          if (bytes == 64 && page != nullptr) page[0] = static_cast<char>(page[0] + 1);
          return status;
        };
    sound::devices.memory_free =
        [](tenon_device* device, std::uint64_t memory) {
          if (reinterpret_cast<char*>(memory) == page) page = nullptr, pages = 0;
          return sound::memory_free(device, memory);
        })
