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

result<void> CompiledRun::run() {
  if (trace.random_nodes > 0) set_keys();
  if (trace.kind == TraceKind::step) set_update_scalars();
  for (const std::uint32_t n : trace.schedule)
    if (!executor.run(trace.resolved.step(n))) [[unlikely]]
      return fail(failed(n));
  draws.count += trace.random_nodes;
  return {};
}

}  // namespace tenon
