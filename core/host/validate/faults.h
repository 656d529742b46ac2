// faults.h: what was found wrong, and who is told.
//
// Process-wide, since the tables that are checked are C functions. Any thread may call.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace tenon::host {

/// What a checked call returns when it refuses; outside of the numbers of plugin.h. Becomes VALIDATION_FAILED.
inline constexpr std::int32_t status_validation_failed = -1001;

enum class Culprit : std::uint8_t { host, plugin };

struct Fault {
  Culprit culprit;
  std::string_view rule;  // of plugin.h, a literal
  std::string what;       // "found memory 7, which was freed, expected one that lives"
};

/// Notes it and puts it into words as the error of the call `slot` of `plugin`. Returns status_validation_failed.
std::int32_t refuse(std::string_view slot, std::string_view plugin, const Fault& fault);

/// The same for a call whose answer nobody reads: a line in the log.
void tell_log(std::string_view slot, std::string_view plugin, const Fault& fault);

}  // namespace tenon::host
