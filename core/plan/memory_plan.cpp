#include "tenon/memory_plan.h"

#include <algorithm>
#include <numeric>

namespace tenon {
namespace {

std::uint64_t aligned(std::uint64_t bytes, std::uint64_t alignment_bytes) {
  return (bytes + alignment_bytes - 1) & ~(alignment_bytes - 1);
}

bool meet_in_time(const Lifetime& a, const Lifetime& b) { return a.first <= b.last && b.first <= a.last; }

std::vector<std::size_t> largest_first(std::span<const Lifetime> lifetimes) {
  std::vector<std::size_t> order(lifetimes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::greater(), [&](std::size_t i) { return lifetimes[i].bytes; });
  return order;
}

struct Placed {
  std::size_t lifetime;
  std::uint64_t begin, end;
};

/// The lowest offset with room for `bytes` beside what lives at the same time. `placed` is sorted by its begin.
std::uint64_t lowest_gap(std::span<const Placed> placed, std::span<const Lifetime> lifetimes, const Lifetime& wanted,
                         std::uint64_t bytes) {
  std::uint64_t offset = 0;
  for (const Placed& other : placed) {
    if (!meet_in_time(lifetimes[other.lifetime], wanted)) continue;
    if (offset + bytes <= other.begin) break;
    offset = std::max(offset, other.end);
  }
  return offset;
}

}  // namespace

MemoryPlan place_apart(std::span<const Lifetime> lifetimes, std::uint64_t alignment_bytes) {
  MemoryPlan plan;
  for (const Lifetime& lifetime : lifetimes) {
    plan.offset_bytes.push_back(plan.bytes);
    plan.bytes += aligned(lifetime.bytes, alignment_bytes);
  }
  return plan;
}

MemoryPlan place_by_lifetime(std::span<const Lifetime> lifetimes, std::uint64_t alignment_bytes) {
  MemoryPlan plan{std::vector<std::uint64_t>(lifetimes.size()), 0};
  std::vector<Placed> placed;
  for (const std::size_t i : largest_first(lifetimes)) {
    const std::uint64_t bytes = aligned(lifetimes[i].bytes, alignment_bytes);
    if (bytes == 0) continue;
    const std::uint64_t begin = lowest_gap(placed, lifetimes, lifetimes[i], bytes);
    plan.offset_bytes[i] = begin;
    plan.bytes = std::max(plan.bytes, begin + bytes);
    const auto after = std::ranges::upper_bound(placed, begin, {}, &Placed::begin);
    placed.insert(after, {i, begin, begin + bytes});
  }
  return plan;
}

}  // namespace tenon
