#include "guards.h"

#include <algorithm>
#include <cstring>

namespace tenon::host {
namespace {

constexpr std::byte pattern_byte(std::size_t i) { return static_cast<std::byte>(0xc3 + 37 * i); }

std::vector<std::byte> pattern(std::uint64_t bytes) {
  std::vector<std::byte> out(bytes);
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = pattern_byte(i);
  return out;
}

bool has_stream(DeviceRecord& device) {
  if (device.guard_stream != nullptr) return true;
  return device.plugin->real.stream_create(device.real, 0, &device.guard_stream) == TENON_OK &&
         device.guard_stream != nullptr;
}

/// One of the two guards: where it begins, seen from the plugin.
std::uint64_t guard_offset(const MemoryRecord& memory, bool behind) {
  return behind ? memory.guard_bytes + memory.bytes : 0;
}

std::byte* host_address(const MemoryRecord& memory, bool behind) {
  return memory.host == nullptr ? nullptr : memory.host - memory.guard_bytes + guard_offset(memory, behind);
}

bool write_guard(MemoryRecord& memory, bool behind) {
  const std::vector<std::byte> bytes = pattern(memory.guard_bytes);
  if (std::byte* const host = host_address(memory, behind)) return std::memcpy(host, bytes.data(), bytes.size()), true;
  DeviceRecord& device = *memory.device;
  const tenon_devices& real = memory.plugin->real;
  const tenon_ref to{memory.real, guard_offset(memory, behind)};
  return has_stream(device) && real.copy_in(device.guard_stream, to, bytes.data(), bytes.size()) == TENON_OK &&
         real.stream_synchronize(device.guard_stream, TENON_FOREVER) == TENON_OK;
}

bool read_guard(MemoryRecord& memory, bool behind, std::span<std::byte> bytes) {
  if (const std::byte* const host = host_address(memory, behind))
    return std::memcpy(bytes.data(), host, bytes.size()), true;
  DeviceRecord& device = *memory.device;
  const tenon_devices& real = memory.plugin->real;
  const tenon_ref from{memory.real, guard_offset(memory, behind)};
  return has_stream(device) && real.copy_out(device.guard_stream, bytes.data(), from, bytes.size()) == TENON_OK &&
         real.stream_synchronize(device.guard_stream, TENON_FOREVER) == TENON_OK;
}

std::optional<std::string> damage_of(MemoryRecord& memory, bool behind) {
  std::vector<std::byte> found(memory.guard_bytes);
  if (!read_guard(memory, behind, found)) return std::nullopt;
  std::size_t changed = 0;
  for (std::size_t i = 0; i < found.size(); ++i) changed += found[i] != pattern_byte(i) ? 1 : 0;
  if (changed == 0) return std::nullopt;
  write_guard(memory, behind);
  const std::string user = Ledger::instance().last_user(memory);
  return "found " + std::to_string(changed) + " of the " + std::to_string(found.size()) + " bytes " +
         (behind ? "behind the end of" : "before the beginning of") + " memory " + std::to_string(memory.id) + " (" +
         std::to_string(memory.bytes) + " bytes) overwritten, expected none; it was last written by " +
         (user.empty() ? "nobody" : user);
}

}  // namespace

std::uint64_t guard_bytes(std::uint64_t alignment) { return std::max<std::uint64_t>(64, alignment); }

bool paint_guards(MemoryRecord& memory) {
  const std::lock_guard held(memory.device->guards);
  return write_guard(memory, false) && write_guard(memory, true);
}

std::optional<std::string> guard_damage(MemoryRecord& memory) {
  if (memory.guard_bytes == 0) return std::nullopt;
  const std::lock_guard held(memory.device->guards);
  auto before = damage_of(memory, false), behind = damage_of(memory, true);
  return before ? before : behind;
}

std::optional<std::string> guard_damage(const DevicePointer& device) {
  for (const MemoryPointer& memory : Ledger::instance().written_memory(*device))
    if (auto damage = guard_damage(*memory)) return damage;
  return std::nullopt;
}

void drop_guard_stream(DeviceRecord& device) {
  if (device.guard_stream != nullptr) device.plugin->real.stream_destroy(std::exchange(device.guard_stream, nullptr));
}

}  // namespace tenon::host
