#include "run_probe.h"

#include <algorithm>
#include <string_view>

#include "helper_process.h"
#include "probe_report.h"
#include "tenon/version.h"

namespace tenon::host {
namespace {

std::string start_of(const std::string& text) {
  std::string line = text.substr(0, std::min<std::size_t>(text.find('\n'), 200));
  return line;
}

Error error_of(const Candidate& candidate, Reason reason, const std::string& what) {
  return {reason, "[plugin] " + candidate.manifest.library.string() + ": " + what, {}};
}

Error timed_out(const Candidate& candidate, std::chrono::milliseconds limit) {
  return error_of(candidate, Reason::PROBE_TIMED_OUT,
                  "it did not answer within " + std::to_string(limit.count()) +
                      " ms while it was loaded and asked for its devices");
}

Error crashed(const Candidate& candidate, const HelperOutcome& outcome) {
  return error_of(candidate, Reason::PROBE_CRASHED,
                  "it ended the helper process that loaded it and asked for its devices: " + how_it_ended(outcome));
}

ProbeReport report_of(const Candidate& candidate, const HelperOutcome& outcome, std::string_view answer,
                      std::chrono::milliseconds limit) {
  ProbeReport report;
  if (auto answered = report_from_json(answer, {}))
    report = *std::move(answered);
  else if (outcome.timed_out)
    report.error = timed_out(candidate, limit);
  else
    report.error = crashed(candidate, outcome);
  if (!outcome.printed.empty())
    report.warning = error_of(candidate, Reason::PRINTED_ON_PROBE,
                              "it wrote to standard output while it was probed: '" + start_of(outcome.printed) + "'");
  return report;
}

}  // namespace

std::string probe_greeting() { return "tenon-probe " + std::string(version()) + "\n"; }

result<ProbeReport> run_probe(const std::filesystem::path& program, const Candidate& candidate,
                              std::chrono::milliseconds limit) {
  const std::string file = candidate.file.string();
  TENON_TRY(const HelperOutcome outcome, run_helper(program, {&file, 1}, limit));
  std::string_view answer = outcome.answer;
  const std::string greeting = probe_greeting();
  if (answer.starts_with(greeting))
    answer.remove_prefix(greeting.size());
  else if (!outcome.timed_out)
    return broken_helper("probe", program, outcome);
  return report_of(candidate, outcome, answer, limit);
}

}  // namespace tenon::host
