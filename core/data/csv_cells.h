// csv_cells.h: what a cell or a column name means, and the words for one that means nothing. Pure functions; private to
// the data layer.
#pragma once
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "csv_scanner.h"

namespace tenon::data {

/// The finite number in a cell.
std::optional<double> number_in(const Cell& cell);

/// "found ..., expected ..." for a cell without a finite number.
std::string not_a_number(const Cell& cell);

/// What is wrong with the name of a column; empty: nothing. Names that stood bare in a file meet further demands, since
/// a table with another separator shows first in its header.
std::string flaw_of_name(std::string_view name);
std::string flaw_of_bare_name(std::string_view name);

/// Positions of two columns with the same name.
std::optional<std::pair<std::size_t, std::size_t>> find_duplicate(std::span<const std::string> names);

}  // namespace tenon::data
