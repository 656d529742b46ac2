// sizes.h: amounts in words. Pure functions.
#pragma once
#include <cstdint>
#include <string>

namespace tenon::cli {

/// "512 bytes", "23.5 GiB"
std::string size_text(std::uint64_t bytes);

/// "3 seconds", "2 hours", "5 days": the greatest unit that there is at least two of.
std::string age_text(std::int64_t seconds);

}  // namespace tenon::cli
