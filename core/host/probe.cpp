#include "tenon/probe.h"

#include <chrono>
#include <cstdlib>
#include <mutex>

#include "own_object.h"
#include "probe_cache.h"
#include "run_probe.h"
#include "tenon/contain.h"
#include "tenon/log.h"
#include "tenon/text.h"

namespace tenon {
namespace {

constexpr std::uint64_t usual_limit_ms = 10'000, most_limit_ms = 3'600'000;

void warn_about_limit(const std::string& wanted) {
  static std::once_flag warned;
  std::call_once(warned, [&] {
    logging::write(logging::Level::warn, "probe",
                   "TENON_PROBE_TIMEOUT_MS is '" + wanted + "', expected milliseconds from 1 to " +
                       std::to_string(most_limit_ms) + ": " + std::to_string(usual_limit_ms) + " is taken");
  });
}

std::chrono::milliseconds time_limit() {
  const char* wanted = ::secure_getenv("TENON_PROBE_TIMEOUT_MS");
  if (wanted == nullptr || *wanted == '\0') return std::chrono::milliseconds(usual_limit_ms);
  const auto number = parse_unsigned(wanted);
  if (number && *number >= 1 && *number <= most_limit_ms) return std::chrono::milliseconds(*number);
  warn_about_limit(wanted);
  return std::chrono::milliseconds(usual_limit_ms);
}

std::int64_t seconds_since_1970() {
  return std::chrono::duration_cast<std::chrono::seconds>(std::chrono::system_clock::now().time_since_epoch()).count();
}

std::uint64_t ms_since(std::chrono::steady_clock::time_point begin) {
  const auto passed = std::chrono::steady_clock::now() - begin;
  return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::milliseconds>(passed).count());
}

result<ProbeReport> run_own_probe(const Candidate& candidate) {
  TENON_TRY(const std::filesystem::path program, host::require_helper("probe", "tenon-probe"));
  const auto begin = std::chrono::steady_clock::now();
  TENON_TRY(ProbeReport report, host::run_probe(program, candidate, time_limit()));
  report.made_at_s = seconds_since_1970();
  report.took_ms = ms_since(begin);
  return report;
}

/// What the cache knows. A fault in it may be mended since, by another driver, say: its hint tells how to find out.
std::optional<ProbeReport> remembered(const std::string& key) {
  auto known = host::read_probe_cache(key);
  if (!known || !known->error) return known;
  std::string& hint = known->error->hint;
  if (hint.empty()) hint = info(known->error->reason).next_step;
  if (hint.find("tenon devices") == hint.npos)
    hint.append(hint.empty() ? "" : "; ").append("to try the plugin again, run `tenon devices`");
  return known;
}

/// A fault that may be mended outside the plugin (a missing library, say) is looked at anew; a crash or a hang is not
/// tried again unasked.
bool settles(const ProbeReport& report) {
  return !report.error || report.error->reason == Reason::PROBE_CRASHED ||
         report.error->reason == Reason::PROBE_TIMED_OUT;
}

}  // namespace

result<ProbeReport> probe(const Candidate& candidate, bool renew) {
  return contained("probe", [&]() -> result<ProbeReport> {
    if (candidate.error) return ProbeReport{.error = candidate.error};
    const std::string key = host::probe_key(candidate);
    if (!renew)
      if (auto known = remembered(key); known && settles(*known)) return *std::move(known);
    TENON_TRY(const ProbeReport report, run_own_probe(candidate));
    host::write_probe_cache(key, report);
    return report;
  });
}

std::optional<ProbeReport> cached_probe(const Candidate& candidate) {
  if (candidate.error) return std::nullopt;
  return remembered(host::probe_key(candidate));
}

}  // namespace tenon
