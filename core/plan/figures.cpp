#include "figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace tenon {
namespace {

struct Unit {
  double size;
  const char* name;
};

/// In the largest unit of which it is at least one.
template <std::size_t count>
std::string scaled(double value, const std::array<Unit, count>& units) {
  const Unit* unit = &units.front();
  for (const Unit& larger : units)
    if (value >= larger.size) unit = &larger;
  if (unit == &units.front()) return fmt::format("{:.0f} {}", value / unit->size, unit->name);
  return number_text(value / unit->size) + " " + unit->name;
}

constexpr std::array<Unit, 4> times{{{1, "ns"}, {1e3, "us"}, {1e6, "ms"}, {1e9, "s"}}};
constexpr std::array<Unit, 5> sizes{{{1, "B"},
                                     {1024, "KiB"},
                                     {1024.0 * 1024, "MiB"},
                                     {1024.0 * 1024 * 1024, "GiB"},
                                     {1024.0 * 1024 * 1024 * 1024, "TiB"}}};

}  // namespace

std::string time_text(double nanoseconds) { return scaled(nanoseconds, times); }
std::string bytes_text(double bytes) { return scaled(bytes, sizes); }

std::string number_text(double value) {
  if (value >= 99.95) return fmt::format("{:.0f}", value);
  if (value >= 9.995) return fmt::format("{:.1f}", value);
  return fmt::format("{:.2f}", value);
}

std::string figure_table(std::span<const std::vector<std::string>> rows) {
  std::vector<std::size_t> widths(rows.front().size());
  for (const auto& row : rows)
    for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], row[c].size());
  std::string out;
  for (const auto& row : rows) {
    std::string line = fmt::format("{:<{}}", row[0], widths[0]);
    for (std::size_t c = 1; c < row.size(); ++c) line += fmt::format("  {:>{}}", row[c], widths[c]);
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + "\n";
  }
  return out;
}

}  // namespace tenon
