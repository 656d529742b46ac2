// log.h: the diagnostics stream. Standard output belongs to results, so everything here goes to standard error.
//
// Thread-safe. Levels follow spdlog's names; TENON_LOG sets the least level that is shown (default: warn).
#pragma once
#include <string_view>

#include "tenon/export.h"

namespace tenon::logging {

enum class Level : unsigned { trace = 0, debug = 1, info = 2, warn = 3, error = 4, off = 6 };

TENON_API void set_level(Level level);
TENON_API bool enabled(Level level);
TENON_API void write(Level level, std::string_view origin, std::string_view text);

}  // namespace tenon::logging
