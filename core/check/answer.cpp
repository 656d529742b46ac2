// The helper's side of a certificate.
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "abi_range.h"
#include "check.h"
#include "messages.h"
#include "printed.h"
#include "tenon/check_pattern.h"

namespace tenon::check {
namespace {

class Reporter {
 public:
  explicit Reporter(int descriptor) : descriptor_(descriptor) {}

  void say(std::string_view text) const {
    while (!text.empty()) {
      const ssize_t written = ::write(descriptor_, text.data(), text.size());
      if (written < 0 && errno != EINTR) return;  // nobody listens any more
      text.remove_prefix(written > 0 ? static_cast<std::size_t>(written) : 0);
    }
  }
  void say(const Message& message) const { say(std::string_view(to_line(message))); }

 private:
  int descriptor_;
};

CheckResult result_of(CheckResult item, const Verdict& verdict, const std::string& only) {
  if (verdict) return item;
  if (verdict.error().is_of_earlier_checks) item.shown_by = only;
  item.outcome = verdict.error().outcome;
  item.found = verdict.error().found;
  item.expected = verdict.error().expected;
  return item;
}

Verdict run_check(const Item& item, Bench& bench) {
  return contained_check([&] {
    return item.capsule == nullptr ? item.check->of_plugin(bench) : item.check->of_capsule(bench, *item.capsule);
  });
}

class Run {
 public:
  Run(const Reporter& out, const Assignment& assignment)
      : out_(out), only_(assignment.only), fatal_(assignment.fatal) {}

  std::unique_ptr<Examined> load(const std::filesystem::path& file, bool is_first) {
    const CheckResult item{.check = std::string(loads_check), .capsule = {}, .found = {}, .expected = {}};
    out_.say(Begun{0, item});
    auto examined = Examined::load(file);
    report_printed(item);
    const bool is_wanted = is_first && matches(only_, loads_check);
    if (is_wanted || !examined) out_.say(result_of(item, examined.transform([](const auto&) {}), only_));
    if (!examined) return nullptr;
    say_facts(**examined);
    return *std::move(examined);
  }

  /// Until all are done, or a check wants a process of its own.
  void run(std::span<const Item> items, std::size_t first, Bench& bench) {
    for (std::size_t number = first; number < items.size(); ++number) {
      const Item& item = items[number];
      if (item.check_name() == loads_check || !matches(only_, item.id())) continue;
      if (item.check->alone && bench.plugin().is_initialized()) return out_.say(GoOn{number});
      run(item, number, bench);
      if (item.check->alone) return out_.say(GoOn{number + 1});
    }
    const auto is_wanted = [&](const Item& item) { return matches(only_, item.id()); };
    out_.say(Done{static_cast<std::size_t>(std::ranges::count_if(items, is_wanted))});
  }

 private:
  void run(const Item& item, std::size_t number, Bench& bench) {
    CheckResult named{.check = item.check_name(),
                      .capsule = item.capsule == nullptr ? "" : item.capsule->name,
                      .found = {},
                      .expected = {}};
    out_.say(Begun{number, named});
    static_cast<void>(found_.take_changes());  // each check begins as the first did
    const Verdict verdict =
        is_lost(item) ? skipped("it ended the process of an earlier check") : run_check(item, bench);
    if (!verdict && verdict.error().outcome == Outcome::failed) bench.close_lane();  // the next one begins afresh
    out_.say(result_of(named, verdict, only_));
    report_printed(named);
    say_device(bench);
  }

  void report_printed(const CheckResult& during) {
    const std::string words = printed_.take();
    if (words.empty()) return;
    out_.say(CheckResult{std::string(stdout_check),
                         {},
                         Outcome::failed,
                         "during " + during.id() + " " + wrote(words),
                         "nothing",
                         during.id()});
  }

  /// A capsule that crashes or hangs in one check is left alone in the others.
  bool is_lost(const Item& item) const {
    return item.capsule != nullptr && fatal_.find(":" + std::string(item.capsule->name) + ",") != fatal_.npos;
  }

  void say_facts(const Examined& examined) {
    const tenon_plugin& plugin = examined.plugin();
    if (examined.table_fault()) return;
    out_.say(Fact{"plugin", plugin.id});
    out_.say(Fact{"vendor", plugin.vendor});
    out_.say(Fact{"version", plugin.version});
    out_.say(Fact{"abi", host::abi_text(examined.reply().abi)});
  }

  void say_device(Bench& bench) {
    if (has_said_device_ || !bench.has_lane()) return;
    const DeviceFacts& facts = bench.lane().value()->facts();
    out_.say(Fact{"device", facts.kind + ":" + std::to_string(facts.ordinal) + ", " + facts.name});
    has_said_device_ = true;
  }

  const Reporter& out_;
  std::string only_, fatal_;
  Printed printed_;
  Surroundings found_;
  bool has_said_device_ = false;
};

}  // namespace

void answer_certify(int descriptor, const Assignment& assignment, const AllocationControl& allocation) {
  const Reporter out(descriptor);
  out.say(greeting());
  Run run(out, assignment);
  const std::unique_ptr<Examined> examined = run.load(assignment.file, assignment.first == 0);
  if (examined == nullptr) return;
  Bench bench(*examined, allocation, assignment.fatal);
  const std::vector<Item> items = items_for(examined->capsules());
  run.run(items, assignment.first, bench);
}

}  // namespace tenon::check
