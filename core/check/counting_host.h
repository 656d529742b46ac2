// counting_host.h: the host table that an examined plugin is given: the host's own, with its memory counted and its
// words kept. Of the process, as a host table is; any thread, and words are the calling thread's.
#pragma once
#include <cstdint>
#include <string>

#include "tenon/plugin.h"

namespace tenon::check {

/// For tenon_query.host_table.
const void* counting_host_table(std::uint32_t abi);

/// What set_error was last given, and forgets it.
std::string take_words();

/// Pieces of host memory that were taken and not given back.
long live_host_blocks();

/// Lets the n-th host->alloc from now on fail, counted from 0, on whatever thread; below 0: none.
void fail_host_allocation(long n);
/// Did one fail since?
bool host_allocation_failed();

}  // namespace tenon::check
