// table.h: rows of words in aligned columns. Pure function.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tenon::cli {

/// The first row is the header. The last column is not padded, so that long words wrap at the end only.
std::string aligned(std::span<const std::vector<std::string>> rows);

/// Every line of the text behind as many blanks.
std::string indented(std::string_view text, std::size_t blanks);

/// "1 row", "2 rows".
std::string counted(std::uint64_t count, std::string_view noun);

/// What stands in a cell without a word.
std::string or_dash(const std::string& word);

/// A text of several lines as one.
std::string one_line(std::string text);

}  // namespace tenon::cli
