// negotiate.h: the one call by which host and plugin agree on an ABI version. Plain functions.
#pragma once
#include <filesystem>

#include "library.h"
#include "tenon/plugin.h"
#include "tenon/result.h"

namespace tenon::host {

/// Asks the library for its table. The reply has passed every check and its plugin is not NULL; the table itself is
/// still the plugin's own, of whatever size it says.
result<tenon_reply> negotiate(const Library& library);

/// The checks alone: what `status` and `reply` of the file's tenon_plugin_query mean.
result<void> check_reply(const std::filesystem::path& file, std::int32_t status, const tenon_reply& reply);

/// The sanitizers that this Tenon is built with, TENON_SANITIZER_ bits.
std::uint32_t own_sanitizer();

}  // namespace tenon::host
