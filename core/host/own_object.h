// own_object.h: where this Tenon lies: libtenon.so, or the program if Tenon is linked into it. Plain functions.
//
// Asked of the loader, so that a tree may be moved, or reached through a symbolic link.
#pragma once
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "tenon/result.h"

namespace tenon::host {

/// The absolute path without symbolic links; empty if even the loader does not know.
std::filesystem::path own_object();

/// Folders for plugins beside it, best first.
std::vector<std::filesystem::path> folders_beside(const std::filesystem::path& object);

/// A helper program of the same installation, "tenon-probe". PROBE_FAILED if it is missing; `where` heads the error.
result<std::filesystem::path> require_helper(std::string_view where, const std::string& name,
                                             const std::filesystem::path& object = own_object());

}  // namespace tenon::host
