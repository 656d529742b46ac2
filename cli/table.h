// table.h: rows of words in aligned columns. Pure function.
#pragma once
#include <span>
#include <string>
#include <vector>

namespace tenon::cli {

/// The first row is the header. The last column is not padded, so that long words wrap at the end only.
std::string aligned(std::span<const std::vector<std::string>> rows);

/// A text of several lines as one.
std::string one_line(std::string text);

}  // namespace tenon::cli
