// files.h: checks on the files of a command before any work is done. Nothing is left behind.
#pragma once
#include <filesystem>
#include <string_view>

#include "tenon/result.h"

namespace tenon::cli {

/// FILE_WRITE_FAILED if `path` could not be written now.
result<void> check_writable(const std::filesystem::path& path);

/// USAGE error if both flags name one file.
result<void> check_distinct(std::string_view output_flag, const std::filesystem::path& output,
                            std::string_view input_flag, const std::filesystem::path& input);

}  // namespace tenon::cli
