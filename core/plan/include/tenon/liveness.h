// liveness.h: what of a graph has to run, and for how long each value is needed. Pure functions; any thread.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "tenon/resolved_graph.h"

namespace tenon {

/// The nodes that `wanted` depends on, in order. Nodes that act by themselves stay: updates, and operations that
/// natural numbers can make fail.
TENON_API std::vector<std::uint32_t> live_nodes(const Graph& graph, std::span<const std::uint32_t> wanted);

/// Every node.
TENON_API std::vector<std::uint32_t> all_nodes(const Graph& graph);

/// By value: the value whose storage it has. Its own, or an operand's where the kernel was granted to work in place.
TENON_API std::vector<std::uint32_t> storage_owners(const ResolvedGraph& resolved);

/// When a storage is written first and used last, as positions in a schedule.
struct Lifetime {
  std::uint32_t owner;
  std::uint64_t bytes;
  std::size_t first, last;
};

/// Of every storage that the nodes of `schedule` make; those of `kept` are used to the end.
TENON_API std::vector<Lifetime> lifetimes(const ResolvedGraph& resolved, std::span<const std::uint32_t> schedule,
                                          std::span<const std::uint32_t> owners, std::span<const std::uint32_t> kept);

}  // namespace tenon
