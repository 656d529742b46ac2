// files.h: checks on the files of a command before any work is done. Nothing is left behind.
#pragma once
#include <filesystem>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "tenon/result.h"

namespace tenon::cli {

/// FILE_WRITE_FAILED if `path` could not be written now.
result<void> check_writable(const std::filesystem::path& path);

/// USAGE error if both flags name one file.
result<void> check_distinct(std::string_view output_flag, const std::filesystem::path& output,
                            std::string_view input_flag, const std::filesystem::path& input);

/// USAGE error if the file of --trace, if there is one, is also that of another flag.
using FlagFile = std::pair<std::string_view, std::optional<std::string>>;
result<void> check_trace(const std::string& trace, std::initializer_list<FlagFile> others);

}  // namespace tenon::cli
