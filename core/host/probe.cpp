#include "tenon/probe.h"

#include <sys/wait.h>

#include <cstdlib>
#include <cstring>

#include "helper_process.h"
#include "own_object.h"
#include "probe_cache.h"
#include "probe_report.h"
#include "tenon/contain.h"
#include "tenon/text.h"

namespace tenon {
namespace {

std::chrono::milliseconds time_limit() {
  const char* wanted = ::secure_getenv("TENON_PROBE_TIMEOUT_MS");
  const auto number = wanted != nullptr ? parse_unsigned(wanted) : std::nullopt;
  return std::chrono::milliseconds(number.value_or(10'000));
}

std::string start_of(const std::string& text) {
  std::string line = text.substr(0, std::min<std::size_t>(text.find('\n'), 200));
  return line;
}

Error error_of(const Candidate& candidate, Reason reason, const std::string& what) {
  return {reason, "[plugin] " + candidate.manifest.library.string() + ": " + what, {}};
}

Error timed_out(const Candidate& candidate) {
  return error_of(candidate, Reason::PROBE_TIMED_OUT,
                  "it did not answer within " + std::to_string(time_limit().count()) +
                      " ms while it was loaded and asked for its devices");
}

std::string how_it_ended(int status) {
  if (WIFSIGNALED(status)) {
    const char* abbreviation = ::sigabbrev_np(WTERMSIG(status));
    return abbreviation != nullptr ? "signal SIG" + std::string(abbreviation)
                                   : "signal " + std::to_string(WTERMSIG(status));
  }
  return "exit status " + std::to_string(WEXITSTATUS(status));
}

Error crashed(const Candidate& candidate, const host::HelperOutcome& outcome) {
  const std::string words = start_of(outcome.errors);
  return error_of(candidate, Reason::PROBE_CRASHED,
                  "it ended the helper process that loaded it and asked for its devices: " +
                      how_it_ended(outcome.status) + (words.empty() ? "" : " (its last words: " + words + ")"));
}

ProbeReport report_of(const Candidate& candidate, const host::HelperOutcome& outcome) {
  ProbeReport report;
  if (auto answered = host::report_from_json(outcome.answer, {}))
    report = *std::move(answered);
  else if (outcome.timed_out)
    report.error = timed_out(candidate);
  else
    report.error = crashed(candidate, outcome);
  if (!outcome.printed.empty())
    report.warning = error_of(candidate, Reason::PRINTED_ON_PROBE,
                              "it wrote to standard output while it was probed: '" + start_of(outcome.printed) + "'");
  return report;
}

result<ProbeReport> run_probe(const Candidate& candidate) {
  const auto program = host::probe_program(host::own_object());
  if (!program)
    return fail(Reason::PROBE_FAILED,
                "[probe] the program tenon-probe does not lie where " + host::own_object().string() +
                    " expects it: in ../bin or ../libexec/tenon",
                "install Tenon again");
  TENON_TRY(const host::HelperOutcome outcome, host::run_helper(*program, candidate.file.string(), time_limit()));
  return report_of(candidate, outcome);
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
    TENON_TRY(const ProbeReport report, run_probe(candidate));
    host::write_probe_cache(key, report);
    return report;
  });
}

std::optional<ProbeReport> cached_probe(const Candidate& candidate) {
  if (candidate.error) return std::nullopt;
  return remembered(host::probe_key(candidate));
}

}  // namespace tenon
