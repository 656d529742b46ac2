#include "guards.h"

#include <algorithm>
#include <cstring>

#include "tenon/text.h"

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

/// Memory that was freed meanwhile is the plugin's again: it is given back while nobody looks.
void add_damage(MemoryRecord& memory, std::vector<std::string>& found) {
  const std::lock_guard held(memory.device->guards);
  if (memory.guard_bytes == 0 || Ledger::instance().find(memory.id) == nullptr) return;
  for (const bool behind : {false, true})
    if (auto damage = damage_of(memory, behind)) found.push_back(*std::move(damage));
}

std::optional<std::string> told(const std::vector<std::string>& found) {
  constexpr std::size_t most_told = 4;
  if (found.empty()) return std::nullopt;
  return listed(found, most_told, "; ");
}

}  // namespace

std::uint64_t guard_bytes(std::uint64_t alignment) { return std::max<std::uint64_t>(64, alignment); }

bool paint_guards(MemoryRecord& memory) {
  const std::lock_guard held(memory.device->guards);
  return write_guard(memory, false) && write_guard(memory, true);
}

std::optional<std::string> guard_damage(MemoryRecord& memory) {
  std::vector<std::string> found;
  add_damage(memory, found);
  return told(found);
}

std::optional<std::string> guard_damage(const DevicePointer& device) {
  std::vector<std::string> found;
  for (const MemoryPointer& memory : Ledger::instance().written_memory(*device)) add_damage(*memory, found);
  return told(found);
}

void drop_guard_stream(DeviceRecord& device) {
  const std::lock_guard held(device.guards);
  if (device.guard_stream != nullptr) device.plugin->real.stream_destroy(std::exchange(device.guard_stream, nullptr));
}

}  // namespace tenon::host
