// probe_report.h: a ProbeReport as text, between the helper and its caller and in the cache. Plain functions.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "tenon/probe.h"

namespace tenon::host {

/// JSON on one line. The key says what the report is about; text that is not UTF-8 is repaired.
std::string to_json(const ProbeReport& report, const std::string& key);

/// Nothing if the text is no report, or one about another key.
std::optional<ProbeReport> report_from_json(std::string_view text, const std::string& key);

}  // namespace tenon::host
