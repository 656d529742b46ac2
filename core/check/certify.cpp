// The side that starts the helper and outlives it.
#include <algorithm>
#include <unordered_map>

#include "certify_by.h"
#include "check.h"
#include "helper_process.h"
#include "messages.h"
#include "own_object.h"
#include "printed.h"
#include "tenon/check_pattern.h"
#include "tenon/contain.h"

namespace tenon::check {
namespace {

namespace fs = std::filesystem;

std::string text_of(std::chrono::milliseconds time) {
  const bool is_whole = time.count() % 1000 == 0;
  return is_whole ? std::to_string(time.count() / 1000) + " s" : std::to_string(time.count()) + " ms";
}

/// One helper process after another, and what they said.
class Supervisor {
 public:
  Supervisor(const fs::path& program, const fs::path& file, const CertifyOptions& options)
      : program_(program), options_(options) {
    out_.file = file;
  }

  result<Certificate> run() {
    for (std::size_t first = 0; !is_done_;) {
      TENON_TRY(first, run_from(first));
    }
    for (const CheckResult& r : at_ends_) add(r);
    if (matched_ == 0 && out_.results.empty()) return fail(matches_no_check(options_.only));
    sort_results();
    exclude();
    return std::move(out_);
  }

 private:
  /// The item to go on with.
  result<std::size_t> run_from(std::size_t first) {
    const std::vector<std::string> arguments{out_.file.string(), std::to_string(first), options_.only, fatal_};
    TENON_TRY(const host::HelperOutcome outcome,
              host::run_helper(program_, arguments, options_.limit, host::Limit::of_silence));
    if (!outcome.answer.starts_with(greeting())) return host::broken_helper("check", program_, outcome);
    begun_.reset();
    next_ = first + 1;
    has_said_end_ = false;
    for (const Message& message : read_lines(outcome.answer))
      std::visit([this](const auto& news) { take(news); }, message);
    judge_end(outcome);
    return next_;
  }

  void take(const Fact& fact) {
    const std::pair<std::string_view, std::string*> known[] = {{"plugin", &out_.plugin},
                                                               {"vendor", &out_.vendor},
                                                               {"version", &out_.version},
                                                               {"abi", &out_.abi},
                                                               {"device", &out_.device}};
    for (const auto& [name, value] : known)
      if (name == fact.name) *value = fact.value;
    if (begun_ && begun_->item.check == loads_check) begun_.reset();
  }
  void take(const Begun& begun) {
    begun_ = begun, next_ = std::max(next_, begun.number + 1);
    last_begun_ = begun.item.check;
  }
  void take(const CheckResult& r) {
    const bool ends_item = begun_ && begun_->item.id() == r.id();
    if (ends_item) begun_.reset();
    if (ends_item && r.check == loads_check && r.outcome == Outcome::failed) is_done_ = has_said_end_ = true;
    add(r);
  }
  void take(const GoOn& go_on) { next_ = go_on.next, has_said_end_ = true, begun_.reset(); }
  void take(const Done& done) { matched_ += done.matched, is_done_ = has_said_end_ = true, begun_.reset(); }

  /// A failure stands, whatever else is said of the same check.
  void add(const CheckResult& r) {
    const auto [place, is_new] = places_.emplace(r.id(), out_.results.size());
    if (is_new)
      out_.results.push_back(r);
    else if (out_.results[place->second].outcome != Outcome::failed)
      out_.results[place->second] = r;
  }

  /// As the list has them: what was found between the checks came too early.
  void sort_results() {
    std::unordered_map<std::string, std::size_t> order;
    for (const CheckInfo& info : all_checks()) order.emplace(info.full_name(), order.size());
    std::ranges::stable_sort(out_.results, {}, [&](const CheckResult& r) { return order[r.check]; });
  }

  void judge_end(const host::HelperOutcome& outcome) {
    const std::string end = outcome.timed_out ? "no answer in " + text_of(options_.limit)
                                              : "it ended the process: " + how_it_ended(outcome);
    if (begun_) {
      is_done_ = begun_->item.check == loads_check;
      CheckResult r = begun_->item;
      r.outcome = Outcome::failed, r.found = end, r.expected = "an answer";
      fatal_ += r.id() + ",";
      return add(r);
    }
    if (!outcome.printed.empty()) add_at_end(stdout_check, wrote(outcome.printed), "nothing");
    if (has_said_end_ && outcome.status == 0 && !outcome.timed_out) return;
    add_at_end(exit_check, end, "exit status 0");
  }

  /// What shows when a process ends is shown by life/exit alone, if it is; else by all that was asked.
  void add_at_end(std::string_view check, const std::string& found, std::string expected) {
    CheckResult r{std::string(check), {}, Outcome::failed, "when the checks were over, " + found, std::move(expected)};
    const bool is_of_exit = last_begun_ == exit_check;
    r.shown_by = is_of_exit ? last_begun_ : options_.only;
    is_of_exit ? add(r) : at_ends_.push_back(std::move(r));
  }

  bool covers(const Exclusion& e, const CheckResult& r) const {
    return e.check == r.check && (e.capsule.empty() || e.capsule == r.capsule);
  }

  /// Known failures are set apart. Where none is left, or the name fits nothing, the exclusion is stale.
  void exclude() {
    for (const Exclusion& e : options_.exclusions) {
      bool is_used = false, is_known = false, has_passed = false;
      for (CheckResult& r : out_.results) {
        if (!covers(e, r)) continue;
        is_known = true;
        has_passed = has_passed || r.outcome == Outcome::passed;
        if (r.outcome != Outcome::failed) continue;
        is_used = true;
        r.outcome = Outcome::excluded;
        r.found = e.reason, r.expected.clear();
      }
      const bool was_asked = is_known || options_.only.empty();
      if (was_asked && !is_used && (has_passed || !is_known)) out_.stale.push_back(e);
    }
  }

  const fs::path& program_;
  const CertifyOptions& options_;
  Certificate out_;
  std::optional<Begun> begun_;                           // of the present process: an item without a result
  std::unordered_map<std::string, std::size_t> places_;  // of results, by id
  std::vector<CheckResult> at_ends_;                     // of processes that ran more than life/exit
  std::string fatal_, last_begun_;
  std::size_t next_ = 0, matched_ = 0;
  bool has_said_end_ = false, is_done_ = false;
};

}  // namespace

std::size_t Certificate::count(Outcome outcome) const {
  return static_cast<std::size_t>(std::ranges::count(results, outcome, &CheckResult::outcome));
}

bool Certificate::holds() const { return count(Outcome::passed) != 0 && count(Outcome::failed) == 0 && stale.empty(); }

result<Certificate> certify_by(const fs::path& program, const fs::path& file, const CertifyOptions& options) {
  std::error_code ignored;
  const fs::path absolute = fs::absolute(file, ignored);
  if (!fs::exists(absolute, ignored))
    return fail(Reason::FILE_NOT_FOUND, "[check] " + file.string() + ": the file does not exist");
  return Supervisor(program, absolute, options).run();
}

result<Certificate> certify(const fs::path& file, const CertifyOptions& options) {
  return contained("check", [&]() -> result<Certificate> {
    TENON_TRY(const fs::path program, host::require_helper("check", "tenon-certify"));
    return certify_by(program, file, options);
  });
}

}  // namespace tenon::check
