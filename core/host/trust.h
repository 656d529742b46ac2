// trust.h: may somebody else have written this file? Plain functions.
#pragma once
#include <filesystem>

#include "tenon/result.h"

namespace tenon::host {

/// UNTRUSTED_PATH if anybody but root, this user or the owner of Tenon itself may write to `file`, to its folder, or to
/// a folder above, and so put another in its place; links are followed, and the folders on their way count as well.
///
/// The file's own folder counts even if it is sticky, as /tmp is: others may put libraries there that the plugin would
/// load. A folder above may be sticky. Those above Tenon's own object do not count: who may write there runs code here
/// anyway.
result<void> check_trust(const std::filesystem::path& file, const std::filesystem::path& own_object);

}  // namespace tenon::host
