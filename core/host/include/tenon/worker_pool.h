// worker_pool.h: the process's threads for parallel_for of the host table.
//
// Process-wide, since plugins are; started at the first parallel loop. Any thread may call.
#pragma once
#include <cstdint>

#include "tenon/export.h"
#include "tenon/plugin.h"

namespace tenon {

/// How many threads a loop may use, the caller's included; 0: the cores that the process may use. Takes effect at the
/// next loop.
TENON_API void set_worker_count(std::uint32_t count);
TENON_API std::uint32_t worker_count();

/// As tenon_host.parallel_for.
TENON_API std::int32_t parallel_for(std::uint64_t n, std::uint64_t grain, tenon_parallel_fn* fn, void* context);

/// Stops the threads; they start again when needed.
TENON_API void stop_workers();

}  // namespace tenon
