#include "sizes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "table.h"

namespace tenon::cli {

std::string size_text(std::uint64_t bytes) {
  constexpr std::array<std::string_view, 6> units{"bytes", "KiB", "MiB", "GiB", "TiB", "PiB"};
  double amount = static_cast<double>(bytes);
  std::size_t unit = 0;
  for (; amount >= 1024 && unit + 1 < units.size(); ++unit) amount /= 1024;
  return unit == 0 ? fmt::format("{} bytes", bytes) : fmt::format("{:.1f} {}", amount, units[unit]);
}

std::string age_text(std::int64_t seconds) {
  struct Unit {
    std::string_view name;
    std::int64_t seconds;
  };
  constexpr std::array units{Unit{"day", 86400}, Unit{"hour", 3600}, Unit{"minute", 60}, Unit{"second", 1}};
  const std::int64_t passed = std::max<std::int64_t>(seconds, 0);
  const auto unit =
      std::ranges::find_if(units, [&](const Unit& u) { return passed >= 2 * u.seconds || u.seconds == 1; });
  return counted(static_cast<std::uint64_t>(passed / unit->seconds), unit->name);
}

}  // namespace tenon::cli
