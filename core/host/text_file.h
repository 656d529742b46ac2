// text_file.h: a small file read whole. A plain function.
#pragma once
#include <filesystem>
#include <optional>
#include <string>

namespace tenon::host {

/// Nothing if it is not a regular file or cannot be read.
std::optional<std::string> read_text_file(const std::filesystem::path& file);

}  // namespace tenon::host
