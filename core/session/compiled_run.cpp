#include "compiled_run.h"

#include <algorithm>

namespace tenon {
namespace {

bool is_random(const Node& node) { return spec(node.op).role == Role::random; }

}  // namespace

void CompiledRun::set_keys() {
  std::uint64_t ahead = 0;
  for (std::size_t n = 0; n < trace.graph().nodes().size(); ++n)
    if (is_random(trace.graph().nodes()[n])) trace.resolved.step(n).set_scalar(0, Scalar{.u = draws.key(ahead++)});
}

void CompiledRun::set_update_scalars() {
  for (std::size_t n = trace.first_update; n < trace.graph().nodes().size(); ++n) {
    trace.resolved.step(n).set_scalar(0, Scalar{.f = rate});
    if (spec(trace.graph().nodes()[n].op).scalars.count > 1) trace.resolved.step(n).set_scalar(1, Scalar{.i = step});
  }
}

/// The counter stands where the eager backend would have left it.
Error CompiledRun::failed(std::size_t node) {
  const auto nodes = trace.graph().nodes();
  draws.count += static_cast<std::uint64_t>(std::ranges::count_if(nodes.first(node + 1), is_random));
  return executor.error(trace.resolved.step(node));
}

result<void> CompiledRun::launch(std::span<const std::uint32_t> nodes) {
  for (const std::uint32_t n : nodes)
    if (!executor.run(trace.resolved.step(n))) [[unlikely]]
      return fail(failed(n));
  return {};
}

/// The nodes of a schedule are in order: the program's, its gradient's, the updates.
result<void> CompiledRun::launch_watched() {
  const std::span<const std::uint32_t> nodes(trace.schedule);
  const auto update = trace.kind == TraceKind::step ? trace.first_update : trace.graph().nodes().size();
  const auto first_gradient = std::ranges::lower_bound(nodes, trace.program_nodes);
  const auto first_update = std::ranges::lower_bound(nodes, update);
  WatchScope part(executor.watch(), "forward");
  TENON_CHECK(launch({nodes.begin(), first_gradient}));
  if (!differentiates(trace.kind)) return launch({first_gradient, nodes.end()});
  part.next("gradient");
  TENON_CHECK(launch({first_gradient, first_update}));
  if (trace.kind != TraceKind::step) return {};
  part.next("update");
  return launch({first_update, nodes.end()});
}

result<void> CompiledRun::run() {
  if (trace.random_nodes > 0) set_keys();
  if (trace.kind == TraceKind::step) set_update_scalars();
  TENON_CHECK(executor.watch() == nullptr ? launch(trace.schedule) : launch_watched());
  draws.count += trace.random_nodes;
  return {};
}

}  // namespace tenon
