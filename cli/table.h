// table.h: rows of words in aligned columns. Pure function.
#pragma once
#include <span>
#include <string>
#include <vector>

namespace tenon::cli {

/// The first row is the header. The last column is not padded, so that long words wrap at the end only.
std::string aligned(std::span<const std::vector<std::string>> rows);

/// What stands in a cell without a word.
std::string or_dash(const std::string& word);

/// A text of several lines as one.
std::string one_line(std::string text);

}  // namespace tenon::cli
