// memory_plan.h: where in one piece of memory each storage of a plan lies. Pure functions; any thread.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "tenon/liveness.h"

namespace tenon {

struct MemoryPlan {
  std::vector<std::uint64_t> offset_bytes;  // one for each lifetime
  std::uint64_t bytes = 0;
};

/// Every storage has a place of its own: what was computed stays readable.
TENON_API MemoryPlan place_apart(std::span<const Lifetime> lifetimes, std::uint64_t alignment_bytes);

/// Storages that are never needed at once may share a place: the largest first, each at the lowest offset that is free
/// for as long as it lives (Pisarchyk and Lee 2020, "Efficient Memory Management for Deep Neural Net Inference",
/// greedy by size).
TENON_API MemoryPlan place_by_lifetime(std::span<const Lifetime> lifetimes, std::uint64_t alignment_bytes);

}  // namespace tenon
