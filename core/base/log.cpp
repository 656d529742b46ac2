#include "tenon/log.h"

#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include <cstdlib>
#include <string>

namespace tenon::logging {
namespace {

spdlog::level::level_enum to_spdlog(Level level) { return static_cast<spdlog::level::level_enum>(level); }

/// spdlog knows no error here: it takes a word that it does not know for "off".
void set_level_from_environment(spdlog::logger& log) {
  const char* variable = std::getenv("TENON_LOG");
  const std::string wanted = variable != nullptr ? variable : "";
  const auto level = spdlog::level::from_str(wanted);
  const bool is_known = level != spdlog::level::off || wanted == "off";
  log.set_level(is_known ? level : spdlog::level::warn);
  if (!is_known && !wanted.empty())
    log.warn("[log] TENON_LOG is '{}', expected trace, debug, info, warn, error or off: warn is taken", wanted);
}

/// The one logger of the process: a stream is process-wide, whoever writes to it.
spdlog::logger& logger() {
  static const auto instance = [] {
    auto made = std::make_shared<spdlog::logger>("tenon", std::make_shared<spdlog::sinks::stderr_sink_mt>());
    made->set_pattern("%l: %v");
    set_level_from_environment(*made);
    return made;
  }();
  return *instance;
}

}  // namespace

void set_level(Level level) { logger().set_level(to_spdlog(level)); }
bool enabled(Level level) { return logger().should_log(to_spdlog(level)); }
void write(Level level, std::string_view origin, std::string_view text) {
  logger().log(to_spdlog(level), "[{}] {}", origin, text);
}

}  // namespace tenon::logging
