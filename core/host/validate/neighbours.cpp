#include "neighbours.h"

#include <algorithm>
#include <cstring>

namespace tenon::host {
namespace {

/// How far behind `place` nothing of `other` lies.
std::uint64_t free_until(const Place& place, const Place& other, std::uint64_t end) {
  const std::uint64_t behind = place.offset_bytes + place.bytes;
  const bool reaches = other.memory == place.memory && other.bytes > 0 && other.offset_bytes + other.bytes > behind;
  return reaches ? std::min(end, std::max(behind, other.offset_bytes)) : end;
}

}  // namespace

Neighbours::Neighbours(const KernelRecord& kernel, std::span<const Place> places, const Place& workspace) {
  for (std::size_t i = 0; i < places.size(); ++i) {
    const Place& place = places[i];
    if (!kernel.tensors[i].is_written || place.memory == nullptr || place.memory->host == nullptr) continue;
    const std::uint64_t behind = place.offset_bytes + place.bytes;
    std::uint64_t end = free_until(place, workspace, std::min(place.memory->bytes, behind + most_bytes));
    for (std::size_t j = 0; j < places.size(); ++j)
      if (j != i && kernel.tensors[j].is_written) end = free_until(place, places[j], end);
    Zone zone{&kernel.tensors[i].role, place.memory->host + behind, static_cast<std::size_t>(end - behind), {}};
    std::memcpy(zone.before.data(), zone.begin, zone.bytes);
    zones_.push_back(zone);
  }
}

std::optional<std::string> Neighbours::damage() const {
  for (const Zone& zone : zones_) {
    std::size_t changed = 0;
    for (std::size_t i = 0; i < zone.bytes; ++i) changed += zone.begin[i] != zone.before[i] ? 1 : 0;
    if (changed == 0) continue;
    return *zone.role + ": found " + std::to_string(changed) + " of the " + std::to_string(zone.bytes) +
           " bytes behind its end changed, expected none";
  }
  return std::nullopt;
}

}  // namespace tenon::host
