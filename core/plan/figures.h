// figures.h: numbers with units, as reports print them, in aligned columns. Pure functions; any thread.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace tenon {

/// "12.3 us": three digits that count; whole nanoseconds below a microsecond.
std::string time_text(double nanoseconds);
/// "4.00 KiB"; whole bytes below that.
std::string bytes_text(double bytes);
/// "1.23"; three digits that count, without exponent.
std::string number_text(double value);

/// The first column is words and aligned left, all others are numbers and aligned right. No row is longer than the
/// first.
std::string figure_table(std::span<const std::vector<std::string>> rows);

}  // namespace tenon
