// candidate.h: everything about a plugin file that can be judged without running its code. Plain functions.
#pragma once
#include <filesystem>

#include "tenon/catalogue.h"

namespace tenon::host {

/// Reads the manifest and checks paths, file, architecture, build and ABI range; the first fault goes to `error`.
Candidate read_candidate(Origin origin, const std::filesystem::path& manifest, const std::filesystem::path& own_object);

/// The checks of the library alone: trust in the paths, ELF, MANIFEST_STALE if the build-id is another.
result<void> check_library(const Candidate& candidate, const std::filesystem::path& own_object);

/// Lies in a folder beside Tenon's own object, is this project's and of this version.
bool is_own(const Manifest& manifest, const std::filesystem::path& own_object);

}  // namespace tenon::host
