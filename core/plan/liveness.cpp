#include "tenon/liveness.h"

#include <algorithm>
#include <numeric>

namespace tenon {
namespace {

bool acts_by_itself(const Node& node) {
  const OpSpec& row = spec(node.op);
  return row.role == Role::update || row.naturals.count > 0;
}

std::size_t output_count(const Node& node) { return spec(node.op).output_count(); }

/// The operand in whose storage output `output` may stand.
std::uint32_t shared_operand(const Node& node, std::size_t output) {
  const OpSpec& row = spec(node.op);
  return node.operand[row.role == Role::update ? row.updated_operand(output) : 0];
}

}  // namespace

std::vector<std::uint32_t> all_nodes(const Graph& graph) {
  std::vector<std::uint32_t> all(graph.nodes().size());
  std::iota(all.begin(), all.end(), 0U);
  return all;
}

std::vector<std::uint32_t> live_nodes(const Graph& graph, std::span<const std::uint32_t> wanted) {
  std::vector<bool> needed(graph.types().size());
  for (const std::uint32_t value : wanted) needed[value] = true;
  std::vector<std::uint32_t> live;
  for (std::size_t n = graph.nodes().size(); n-- > 0;) {
    const Node& node = graph.nodes()[n];
    bool lives = acts_by_itself(node);
    for (std::size_t i = 0; i < output_count(node); ++i) lives = lives || needed[node.output + i];
    if (!lives) continue;
    for (const std::uint32_t operand : node.operands()) needed[operand] = true;
    live.push_back(static_cast<std::uint32_t>(n));
  }
  std::ranges::reverse(live);
  return live;
}

std::vector<std::uint32_t> storage_owners(const ResolvedGraph& resolved) {
  std::vector<std::uint32_t> owner(resolved.graph().types().size());
  std::iota(owner.begin(), owner.end(), 0U);
  for (std::size_t n = 0; n < resolved.size(); ++n) {
    const Node& node = resolved.graph().nodes()[n];
    for (std::size_t i = 0; i < output_count(node); ++i)
      if (resolved.step(n).kernel().in_place(i)) owner[node.output + i] = owner[shared_operand(node, i)];
  }
  return owner;
}

std::vector<Lifetime> lifetimes(const ResolvedGraph& resolved, std::span<const std::uint32_t> schedule,
                                std::span<const std::uint32_t> owners, std::span<const std::uint32_t> kept) {
  constexpr std::size_t none = ~std::size_t{0};
  std::vector<std::size_t> place(owners.size(), none);  // by value: where in `out` its storage is
  std::vector<Lifetime> out;
  const auto use = [&](std::uint32_t value, std::size_t when) {
    if (const std::size_t at = place[owners[value]]; at != none) out[at].last = std::max(out[at].last, when);
  };
  for (std::size_t when = 0; when < schedule.size(); ++when) {
    const Node& node = resolved.graph().nodes()[schedule[when]];
    for (const std::uint32_t operand : node.operands()) use(operand, when);
    for (std::size_t i = 0; i < output_count(node); ++i) {
      const auto value = static_cast<std::uint32_t>(node.output + i);
      if (owners[value] != value) continue;
      place[value] = out.size();
      out.push_back({value, resolved.step(schedule[when]).output_bytes(i), when, when});
    }
  }
  for (const std::uint32_t value : kept) use(value, schedule.size());
  return out;
}

}  // namespace tenon
