// json_text.h: the little JSON that reports and traces write. Pure functions; any thread.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tenon {

/// A JSON string; bytes that are no UTF-8 (file names may hold any) become U+FFFD.
std::string json_string(std::string_view text);
std::string json_strings(std::span<const std::string> texts);

/// The values are JSON already.
using JsonFields = std::vector<std::pair<std::string_view, std::string>>;
std::string json_object(const JsonFields& fields);

}  // namespace tenon
