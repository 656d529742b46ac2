// guards.h: bytes around every piece of memory that nobody may write, and a look whether somebody did.
//
// Where the host may not look itself, the validator copies on a stream of its own. Any thread may call.
#pragma once
#include <optional>
#include <span>
#include <string>

#include "ledger.h"

namespace tenon::host {

/// How many bytes stand before and behind memory of that alignment.
std::uint64_t guard_bytes(std::uint64_t alignment);

/// Writes the guards of fresh memory. False where that failed: then nobody looks at them.
bool paint_guards(MemoryRecord& memory);

/// "found 16 of the 64 bytes behind the end of memory 7 (256 bytes) overwritten, ..."; nothing if all is well, or the
/// memory was freed. Repairs what it found, so that it is told of once.
std::optional<std::string> guard_damage(MemoryRecord& memory);

/// The same for all memory of a device that was written since the last look.
std::optional<std::string> guard_damage(const DevicePointer& device);

/// Gives back the stream of its own.
void drop_guard_stream(DeviceRecord& device);

}  // namespace tenon::host
