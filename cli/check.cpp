#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "command.h"
#include "table.h"
#include "tenon/certificate.h"
#include "tenon/check_pattern.h"
#include "tenon/text.h"

namespace tenon::cli {
namespace {

using check::Certificate;
using check::CheckInfo;
using check::CheckResult;
using check::Outcome;

struct CheckArguments {
  std::string only, exclusions;
  std::optional<std::uint64_t> timeout_seconds;
  bool json = false, list = false;
};

const auto& check_settings() {
  static const auto all = std::to_array<Setting<CheckArguments>>({
      {{.name = "--only",
        .metavar = "PATTERN",
        .expected = "a part of GROUP/NAME:CAPSULE, with * for anything",
        .help = "only the checks that fit"},
       set_text<&CheckArguments::only>},
      {{.name = "--exclusions",
        .metavar = "FILE",
        .expected = "a JSON file",
        .help = "known failures, each with a reason"},
       set_text<&CheckArguments::exclusions>},
      {{.name = "--timeout",
        .metavar = "SECONDS",
        .expected = "a whole number of seconds from 1 to 86400",
        .help = "for each check",
        .standard = "60"},
       set_whole<&CheckArguments::timeout_seconds, 1, 86'400>},
      {{.name = "--list", .metavar = {}, .expected = {}, .help = "list the checks and run none"},
       set_true<&CheckArguments::list>},
      {{.name = "--json", .metavar = {}, .expected = {}, .help = "for programs to read"},
       set_true<&CheckArguments::json>},
  });
  return all;
}

/// Of the other flags only one says which checks are meant.
result<void> expect_only(const CheckArguments& own) {
  const char* other = own.json                  ? "--json"
                      : own.timeout_seconds     ? "--timeout"
                      : !own.exclusions.empty() ? "--exclusions"
                                                : nullptr;
  if (other == nullptr) return {};
  return fail(usage_error(std::string("--list: found it with ") + other + ", expected it alone or with --only"));
}

result<Output> list_of_checks(const std::string& only) {
  std::vector<std::vector<std::string>> rows{{"check", "asked of", "what holds"}};
  for (const CheckInfo& info : check::all_checks())
    if (check::may_match(only, info.full_name(), info.of_capsules))
      rows.push_back({info.full_name(), info.of_capsules ? "capsules" : "plugin", std::string(info.rule)});
  if (rows.size() == 1) return fail(check::matches_no_check(only));
  return Output(aligned(rows));
}

std::string head(const Certificate& c) {
  std::vector<std::vector<std::string>> rows{{"file", c.file.string()}};
  if (!c.plugin.empty()) rows.push_back({"plugin", c.vendor + "/" + c.plugin + " " + c.version + ", ABI " + c.abi});
  if (!c.device.empty()) rows.push_back({"device", c.device});
  return aligned(rows);
}

std::string group_of(const CheckResult& r) { return r.check.substr(0, r.check.find('/')); }

/// One line for each group that was asked anything.
std::string table(const Certificate& c) {
  std::vector<std::vector<std::string>> rows{{"group", "passed", "failed", "skipped", "excluded"}};
  std::vector<std::string> groups;
  for (const CheckResult& r : c.results)
    if (groups.empty() || groups.back() != group_of(r)) groups.push_back(group_of(r));
  for (const std::string& group : groups) {
    std::vector<std::string> row{group};
    for (const Outcome outcome : {Outcome::passed, Outcome::failed, Outcome::skipped, Outcome::excluded})
      row.push_back(std::to_string(std::ranges::count_if(
          c.results, [&](const CheckResult& r) { return r.outcome == outcome && group_of(r) == group; })));
    rows.push_back(std::move(row));
  }
  return aligned(rows);
}

/// A fault that many capsules share fills no screen.
constexpr std::size_t most_shown = 5;

std::string failure(const Certificate& c, const CheckResult& r) {
  const std::string only = r.again().empty() ? "" : " --only " + shell_word(r.again());
  const std::vector<std::vector<std::string>> rows{{"    found", r.found},
                                                   {"    expected", r.expected},
                                                   {"    again", "tenon check " + shell_word(c.file.string()) + only}};
  return "  " + r.id() + "\n" + aligned(rows);
}

std::string failures(const Certificate& c) {
  std::map<std::string, std::size_t> shown;
  std::string out;
  for (const CheckResult& r : c.results) {
    if (r.outcome != Outcome::failed) continue;
    if (++shown[r.check] <= most_shown) out += failure(c, r);
  }
  for (const auto& [name, count] : shown)
    if (count > most_shown)
      out += fmt::format("  {0} failed for {1}: --only {0} --json lists them\n", name,
                         counted(count - most_shown, "more capsule"));
  return out.empty() ? "" : "\nfailed\n" + out;
}

/// Each reason once, with the checks that it holds for, and for how many capsules.
std::string reasons(const Certificate& c, Outcome outcome) {
  std::vector<std::pair<std::string, std::map<std::string, std::size_t>>> rows;
  for (const CheckResult& r : c.results) {
    if (r.outcome != outcome) continue;
    auto row = std::ranges::find(rows, r.found, [](const auto& known) { return known.first; });
    if (row == rows.end()) row = rows.insert(rows.end(), {r.found, {}});
    ++row->second[r.check];
  }
  std::string out;
  for (const auto& [reason, checks] : rows) {
    std::vector<std::string> words;
    for (const auto& [name, count] : checks)
      words.push_back(count == 1 ? name : name + " (" + std::to_string(count) + ")");
    out += "  " + reason + "\n    " + listed(words, most_shown) + "\n";
  }
  return out.empty() ? "" : "\n" + std::string(name(outcome)) + "\n" + out;
}

std::string stale(const Certificate& c) {
  std::string out;
  for (const check::Exclusion& e : c.stale)
    out +=
        "  " + e.check + (e.capsule.empty() ? "" : ":" + e.capsule) + " no longer fails, or there is no such check\n";
  return out.empty() ? "" : "\nstale exclusions: take them out of the file\n" + out;
}

/// A part of the checks is no certificate.
std::string verdict(const Certificate& c, bool is_whole) {
  const std::size_t failed = c.count(Outcome::failed), asked = failed + c.count(Outcome::passed);
  if (c.holds()) return (is_whole ? "certified: " : "passed, of those asked for: ") + counted(asked, "check") + "\n";
  if (asked == 0) return "not certified: nothing passed: all that was asked is excluded or skipped\n";
  std::string out = "not certified: ";
  if (failed != 0) out += std::to_string(failed) + " of " + counted(asked, "check") + " failed";
  if (failed != 0 && !c.stale.empty()) out += ", ";
  if (!c.stale.empty()) out += counted(c.stale.size(), "stale exclusion");
  return out + "\n";
}

std::string report(const Certificate& c, bool is_whole) {
  return head(c) + "\n" + table(c) + failures(c) + stale(c) + reasons(c, Outcome::excluded) +
         reasons(c, Outcome::skipped) + "\n" + verdict(c, is_whole);
}

result<std::string> one_file(std::span<const std::string> words) {
  if (words.size() == 1) return words.front();
  const std::string found = words.empty() ? "no file given: expected a plugin's library or manifest"
                                          : "unexpected argument: found \"" + shown(words[1]) + "\", expected one file";
  return fail(usage_error("[check] " + found, "write `tenon check FILE`"));
}

result<Output> run_check(std::span<const std::string> args) {
  TENON_TRY(const auto arguments, parse_arguments<CheckArguments>(args, check_settings(), no_flags()));
  const CheckArguments& own = arguments.own;
  if (own.list) {
    TENON_CHECK(expect_no_words(arguments.words));
    TENON_CHECK(expect_only(own));
    return list_of_checks(own.only);
  }
  TENON_TRY(const std::string file, one_file(arguments.words));
  check::CertifyOptions options{.only = own.only};
  if (own.timeout_seconds) options.limit = std::chrono::seconds(*own.timeout_seconds);
  if (!own.exclusions.empty()) {
    TENON_TRY(options.exclusions, check::read_exclusions(own.exclusions));
  }
  TENON_TRY(const Certificate certificate, check::certify(file, options));
  Output output(own.json ? to_json(certificate) : report(certificate, own.only.empty()));
  if (!certificate.holds())
    output.error = Error{Reason::NOT_CERTIFIED, "[check] " + certificate.file.string() + ": not certified", {}};
  return output;
}

}  // namespace

const Command check_command{"check",
                            "FILE",
                            "certify a plugin: does it keep every rule of plugin.h?",
                            [] { return table_of<CheckArguments>(check_settings()); },
                            no_flags,
                            run_check};

}  // namespace tenon::cli
