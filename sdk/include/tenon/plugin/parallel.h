// parallel.h: the host's threads, for plugins that compute on the host.
//
// Blocks until all is done. The body may not throw. Nested calls run on the calling thread. Threads: any.
#pragma once
#include "tenon/plugin/error.h"

namespace tenon::plugin {

/// Calls body(begin, end) for ranges that together are [0, count); on several threads if count exceeds the grain. Which
/// ranges these are may differ from run to run: a body whose result depends on them is not deterministic.
template <class Body>
void for_ranges(std::uint64_t count, std::uint64_t grain, const Body& body) {
  if (count == 0) return;
  if (count <= grain || host == nullptr || host->parallel_for == nullptr) return body(0, count);
  const auto call = [](void* context, std::uint64_t begin, std::uint64_t end, std::uint32_t) noexcept {
    (*static_cast<const Body*>(context))(begin, end);
  };
  const std::int32_t status = host->parallel_for(count, grain, call, const_cast<Body*>(&body));
  if (status != TENON_OK) throw KernelError(status, "the host's threads failed");
}

}  // namespace tenon::plugin
