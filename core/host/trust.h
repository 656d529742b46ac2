// trust.h: may somebody else have written this file? Plain functions.
#pragma once
#include <sys/types.h>

#include <filesystem>

#include "tenon/result.h"

namespace tenon::host {

/// UNTRUSTED_PATH if anybody but root, this user or the owner of Tenon itself may write to `file` or to its folder. The
/// folder counts even if it is sticky, as /tmp is: others may put libraries there that the plugin would load.
result<void> check_trust(const std::filesystem::path& file, uid_t tenon_owner);

/// Who owns Tenon's own object; whoever that is runs code here anyway.
uid_t owner_of(const std::filesystem::path& file);

}  // namespace tenon::host
