// probed_candidate.h: a library that was named without a manifest, as the helper program found it.
#pragma once
#include <filesystem>

#include "tenon/catalogue.h"

namespace tenon::host {

/// Checks the file, then has it probed; who it is and what it brings become its manifest.
Candidate probed_candidate(const std::filesystem::path& library, const std::filesystem::path& own_object);

}  // namespace tenon::host
