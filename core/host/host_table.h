// host_table.h: the functions that a plugin may call. Any thread.
#pragma once
#include <cstdint>

#include "tenon/plugin.h"

namespace tenon::host {

/// The tenon_host of an ABI version, of that version's size; NULL for one that this host does not accept. Lives as
/// long as the process.
const void* host_table(std::uint32_t abi);

}  // namespace tenon::host
