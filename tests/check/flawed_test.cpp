// Each check fails for the plugin that breaks its rule, and no other check of its group does.
#include <algorithm>

#include "certificates.h"
#include "check.h"

namespace tenon::check::test {
namespace {

struct Flaw {
  std::string plugin;
  std::set<std::string> checks;  // what fails
  std::string found;             // part of what the failure says
};

void PrintTo(const Flaw& flaw, std::ostream* out) { *out << flaw.plugin; }

std::set<std::string> of_neg(std::initializer_list<std::string> checks) {
  std::set<std::string> out;
  for (const std::string& check : checks) out.insert(check + ":flawed.neg.f32");
  return out;
}

const std::vector<Flaw>& flaws() {
  static const std::vector<Flaw> all{
      {"flawless", {}, ""},
      {"uninstalled", {}, ""},
      {"exports", {"interface/exports"}, "it exports vendor_helper"},
      {"links", {"interface/links"}, "it links libtenon.so"},
      {"sanitizer", {"interface/sanitizer"}, "does not name the sanitizer memory"},
      {"versions", {"interface/versions"}, "to a host of later versions it answered with a table"},
      {"unreadable", {"interface/unreadable"}, "it accepted a query that is too small"},
      {"asked_again", {"interface/asked-again"}, "another table"},
      {"empty_slots", {"interface/slots"}, "leaves the mandatory slot 'copy_in' empty"},
      {"sizes", {"interface/sizes"}, "tenon_plugin says a size of"},
      {"graph_slots", {"interface/graph-slots"}, "1 of the four"},
      {"capsule_fields", {"interface/capsule-fields"}, "flawed.reshape.f32 is left out: its field 'launch'"},
      {"empty_dtypes", {"interface/capsule-fields"}, "flawed.neg.f32: row 1 of its dtypes is empty"},
      {"quiet", {"interface/quiet"}, "threads started while it was loaded: 1"},
      {"any_option", {"life/initialize-option"}, "returned TENON_OK"},
      {"initialize", {"life/initialize"}, "initialize returned TENON_ERROR ('the licence has expired')"},
      {"enumerate", {"life/enumerate"}, "device 1: alignments of 64 and 48 bytes"},
      {"usable", {"life/usable"}, "no device can be used; the first: no driver"},
      {"open", {"life/open"}, "open returned TENON_UNIMPLEMENTED"},
      {"open_absent", {"life/open-absent"}, "open of the ordinal 4000000000 returned TENON_OK"},
      {"open_option", {"life/open-option"}, "open with the option no_such_option returned TENON_OK"},
      {"close", {"life/close"}, "close returned TENON_ERROR ('the door sticks')"},
      {"cycles", {"life/cycles", "life/quiesce"}, "open returned TENON_ERROR ('no more handles')"},
      {"extension", {"life/extension"}, "extension gave something"},
      {"quiesce", {"life/quiesce"}, "a second quiesce returned TENON_ERROR ('asleep already')"},
      {"shutdown", {"life/shutdown"}, "it ended the process: "},
      {"exit", {"life/exit"}, "when the checks were over, it ended the process: exit status 3"},
      {"exit_opened", {"life/exit"}, "when the checks were over, it ended the process: exit status 3"},
      {"odd_sizes", {"memory/odd-sizes"}, "3 bytes that were written and read back: byte 0 of 3 is"},
      {"said", {"memory/said"}, "memory of 1 bytes says that it has 0"},
      {"handles", {"memory/handles"}, "two pieces that live at once have the handle"},
      {"neighbours", {"memory/neighbours"}, "memory whose neighbours came and went: byte 0 of 4097"},
      {"offsets", {"memory/offsets"}, "memory that was read at an offset: byte 0 of 21"},
      {"copies", {"memory/copies"}, "memory that was copied into"},
      {"fills", {"memory/fills"}, "memory filled by a pattern of 2 bytes"},
      {"nothing", {"memory/nothing"}, "copy returned TENON_ERROR_INVALID_ARGUMENT ('nothing to copy')"},
      {"no_bytes", {"memory/no-bytes"}, "the handle 0"},
      {"too_large", {"memory/too-large"}, "returned TENON_ERROR_INVALID_ARGUMENT ('too many bytes')"},
      {"info", {"memory/info"}, "memory_info says 2 of 1 bytes are free"},
      {"trim", {"memory/trim"}, "memory_trim returned TENON_UNIMPLEMENTED"},
      {"trim_clears", {"memory/trim"}, "memory that lives through memory_trim: byte 0 of 4097 is 0x00"},
      {"host_address", {"memory/host-address"}, "what the host reads of written memory"},
      {"order", {"streams/order"}, "a copy between two fills of its source"},
      {"event_follows", {"streams/event-follows", "streams/event-again"}, "what a copy_out before the event brought"},
      {"event_again", {"streams/event-again"}, "event_record returned TENON_ERROR ('recorded already')"},
      {"event_again_early", {"streams/event-again"}, "what an event that is recorded again waits for: byte 0"},
      {"no_time", {"streams/no-time"}, "event_wait without time returned TENON_ERROR ('no time')"},
      {"across", {"streams/across"}, "stream_wait returned TENON_UNIMPLEMENTED"},
      {"across_early", {"streams/across"}, "a copy on a stream that waited for another's fill: byte 0"},
      {"many", {"streams/many"}, "stream_create returned TENON_ERROR ('no more streams')"},
      {"many_mixed", {"streams/many"}, "memory that stream 6 of eight filled: byte 0"},
      {"no_words", {"streams/no-words"}, "event_error left 4 bytes of words"},
      {"elapsed", {"streams/elapsed"}, "for a copy of a page"},
      {"destroyed", {"streams/destroyed", "life/close"}, "stream_destroy returned TENON_ERROR ('work is left')"},
      {"destroyed_cleared", {"streams/destroyed"}, "what a stream that is gone has filled: byte 0"},
      {"serves", of_neg({"capsules/serves"}), "it declines every case of the table, the last for: not today"},
      {"values", of_neg({"capsules/values", "capsules/strict-bits"}), "case '()' in f32: element 0 of output 0 is"},
      {"strict_bits", of_neg({"capsules/strict-bits"}), "case '()' in f32: element 0 of output 0 is"},
      {"vjp_bits", {"capsules/strict-bits:flawed.neg.vjp.f32"}, "case '()' in f32: element 0 of output 0 is"},
      {"same_again", of_neg({"capsules/same-again"}), "case '(17)' in f32: element 3 of output 0"},
      {"launched_again", of_neg({"capsules/launched-again"}), "launch returned TENON_ERROR ('used up')"},
      {"launched_again_adds", of_neg({"capsules/launched-again"}), "case '(17)' in f32: element 3 of output 0 is"},
      {"bounds", of_neg({"capsules/bounds"}), "case '(17)' in f32: after output 0: byte 0 of"},
      {"claims",
       {"contracts/claims:flawed.neg.f32", "contracts/claims:flawed.reshape.f32"},
       "its layout contract has the claim 0"},
      {"numerics", {"contracts/numerics:flawed.neg.f32", "contracts/numerics:flawed.reshape.f32"}, "its rounding is 9"},
      {"gradient", of_neg({"contracts/gradient"}), "no capsule of neg.vjp"},
      {"training", of_neg({"contracts/training"}), "for evaluation: evaluation only"},
      {"attribute", of_neg({"contracts/attribute"}), "supports accepts the attribute no_such_attribute"},
      {"dtype", of_neg({"contracts/dtype"}), "supports accepts value 0 of 24 complex bits"},
      {"count", of_neg({"contracts/count"}), "supports accepts an operand less"},
      {"layout", of_neg({"contracts/layout"}), "supports accepts an operand with rows with gaps"},
      {"format", of_neg({"contracts/format"}), "supports accepts a tensor of the format no_such_format"},
      {"no_reason",
       of_neg({"contracts/attribute", "contracts/dtype", "contracts/count", "contracts/layout", "contracts/format"}),
       "without a reason"},
      {"no_device", of_neg({"contracts/no-device"}), "supports without a device returned TENON_ERROR"},
      {"unasked", of_neg({"contracts/unasked"}), "prepare, asked for what supports declines, returned TENON_OK"},
      {"in_place", of_neg({"contracts/in-place"}), "which was not proposed"},
      {"grants_without_list", of_neg({"contracts/in-place"}), "it grants 1 pairs, and there are none"},
      {"workspace", of_neg({"contracts/workspace"}), "it wants 1 values saved"},
      {"throws", of_neg({"contracts/unasked", "robustness/prepare-malloc"}),
       "an exception escaped from prepare: I was not asked for this"},
      {"launch_throws", of_neg({"capsules/launched-again", "threads/reentrant", "robustness/launch-allocates"}),
       "an exception escaped from launch: of a type that the host does not know"},
      {"release_throws", of_neg({"contracts/unasked", "robustness/prepare-host-memory", "robustness/prepare-malloc"}),
       "an exception escaped from release: of a type that the host does not know"},
      {"memory_thread", {"threads/memory", "threads/streams"}, "returned TENON_ERROR ('another thread')"},
      {"events_thread", {"threads/events"}, "event_create returned TENON_ERROR ('another thread')"},
      {"streams_thread", {"threads/streams"}, "copy_out returned TENON_ERROR ('another thread')"},
      {"prepare_once", of_neg({"threads/prepare"}), "prepare returned TENON_ERROR ('another thread')"},
      {"reentrant", of_neg({"threads/reentrant"}), "launch returned TENON_ERROR ('another stream')"},
      {"reentrant_adds", of_neg({"threads/reentrant"}), "output 0 of a kernel that two threads launched: byte"},
      {"host_memory", {"robustness/host-memory", "robustness/malloc"}, "it ended the process: "},
      {"malloc", {"robustness/malloc"}, "an exception escaped from stream_create: std::bad_alloc"},
      {"prepare_host_memory", of_neg({"robustness/prepare-host-memory", "robustness/prepare-malloc"}),
       "prepare, whose allocation 1 failed, returned TENON_ERROR_OUT_OF_MEMORY without a word"},
      {"prepare_malloc", of_neg({"robustness/prepare-malloc"}), "an exception escaped from prepare: std::bad_alloc"},
      {"supports_malloc", of_neg({"robustness/supports-malloc"}), "an exception escaped from supports"},
      {"launch_allocates", of_neg({"robustness/launch-allocates"}), "a launch allocates memory 1 times"},
      {"device_leaks", {"robustness/device-leaks"}, "8 times opening, using and closing a device: 8"},
      {"device_leaks_pages", {"robustness/device-leaks"}, "8 times opening, using and closing a device: 16"},
      {"kernel_leaks", of_neg({"robustness/kernel-leaks"}), "8 times preparing, launching and releasing: 8"},
      {"fp_load", {"robustness/fp-load"}, "loading it changed the direction of rounding"},
      {"fp_initialize", {"robustness/fp-device"}, "initialize changed the direction of rounding"},
      {"fp_device", {"robustness/fp-device"}, "opening a device changed the direction of rounding"},
      {"fp_launch", of_neg({"robustness/fp-launch"}), "a launch changed the direction of rounding"},
      {"locale_load", {"robustness/locale-load"}, "loading it changed C's locale"},
      {"locale_initialize", {"robustness/locale-device"}, "initialize changed C++'s locale"},
      {"locale_enumerate", {"robustness/locale-device"}, "enumerate changed C's locale"},
      {"locale_copy", {"robustness/locale-device"}, "a copy or a fill changed the thread's locale"},
      {"locale_prepare", of_neg({"robustness/locale-launch"}), "supports or prepare changed the thread's locale"},
      {"locale_launch", of_neg({"robustness/locale-launch"}), "a launch changed C's locale"},
      {"stdout", {"robustness/stdout"}, ":flawed.neg.f32 it wrote 'hello"},
      {"stdout_load", {"robustness/stdout"}, "during interface/loads it wrote 'hello"},
      {"stdout_exit", {"robustness/stdout"}, "when the checks were over, it wrote 'farewell"},
      {"crashes", of_neg({"capsules/values"}), "it ended the process: "},
      {"hangs", of_neg({"capsules/values"}), "no answer in 300 ms"},
  };
  return all;
}

/// Those that need an allocator which can fail are skipped under sanitizers.
std::set<std::string> asked_of(const Flaw& flaw, const Certificate& certificate) {
  std::set<std::string> out = flaw.checks;
  if (is_sanitized())
    std::erase_if(out, [&](const auto& id) { return ids(certificate, Outcome::skipped).contains(id); });
  return out;
}

/// The group of the flaw, where it is one: that takes a third of the time of all. A flaw of threads shows where another
/// thread did the same before.
std::string only(const Flaw& flaw) {
  std::set<std::string> groups;
  for (const std::string& id : flaw.checks) groups.insert(id.substr(0, id.find('/') + 1));
  return groups.size() == 1 && !groups.contains("threads/") ? *groups.begin() : std::string();
}

class Flawed : public testing::TestWithParam<Flaw> {
 protected:
  static Certificate certificate_of_flaw(const std::string& only) {
    CertifyOptions options{.only = only};
    if (GetParam().plugin == "hangs") options.limit = std::chrono::milliseconds(300);
    return certificate_of(flawed_file(GetParam().plugin), options);
  }
};

/// Each failure comes again where it is asked for as its report says.
void expect_again(const Certificate& certificate,
                  const std::function<Certificate(const std::string&)>& certificate_of) {
  for (const CheckResult& r : certificate.results) {
    if (r.outcome != Outcome::failed) continue;
    const Certificate again = certificate_of(r.again());
    const auto found = std::ranges::find(again.results, r.id(), &CheckResult::id);
    ASSERT_NE(found, again.results.end()) << r.id() << " with --only " << r.again();
    EXPECT_EQ(found->outcome, Outcome::failed) << r.id() << " with --only " << r.again();
  }
}

TEST_P(Flawed, FailsItsChecksAndNoOtherOfTheirGroupAndAgain) {
  const Flaw& flaw = GetParam();
  const Certificate certificate = certificate_of_flaw(only(flaw));
  const std::set<std::string> expected = asked_of(flaw, certificate);
  EXPECT_EQ(ids(certificate, Outcome::failed), expected) << failures(certificate);
  EXPECT_EQ(certificate.holds(), expected.empty());
  if (expected.empty()) return;
  const std::string found = failures(certificate);
  EXPECT_NE(found.find(flaw.found), std::string::npos) << found;
  constexpr std::string_view end = "it ended the process";
  EXPECT_EQ(found.find(end) != found.npos, flaw.found.find(end) != flaw.found.npos) << found;
  EXPECT_EQ(found.find("the check itself failed"), found.npos) << found;
  expect_again(certificate, certificate_of_flaw);
}

/// What a skipped check refers to: "see life/open".
std::set<std::string> referred_to(const Certificate& certificate) {
  std::set<std::string> out;
  const auto checks = all_checks();
  for (const CheckResult& r : certificate.results) {
    const std::size_t at = r.outcome == Outcome::skipped ? r.found.find("see ") : std::string::npos;
    if (at == std::string::npos) continue;
    const std::string name = r.found.substr(at + 4);
    const auto info = std::ranges::find(checks, name, &CheckInfo::full_name);
    out.insert(info != checks.end() && info->of_capsules ? name + ":" + r.capsule : name);
  }
  return out;
}

TEST_P(Flawed, SkipsWithAReferenceToAFailureOrAnExcuse) {
  if (is_sanitized()) GTEST_SKIP() << "what is skipped does not depend on the sanitizer, and each takes seconds there";
  for (const std::string& id : referred_to(certificate_of_flaw(""))) {
    const Certificate certificate = certificate_of_flaw(id);
    const bool is_excused = find(certificate, id) != nullptr && find(certificate, id)->found.ends_with("in its place");
    EXPECT_TRUE(is_excused || ids(certificate, Outcome::failed).contains(id)) << id;
  }
}

INSTANTIATE_TEST_SUITE_P(EveryFlaw, Flawed, testing::ValuesIn(flaws()),
                         [](const auto& flaw) { return flaw.param.plugin; });

TEST(Flawed, LeavesNoCheckUnseen) {
  std::set<std::string> seen{"interface/loads", "interface/manifest"};  // of certificate_test.cpp
  for (const Flaw& flaw : flaws())
    for (const std::string& id : flaw.checks) seen.insert(id.substr(0, id.find(':')));
  for (const CheckInfo& info : all_checks()) {
    EXPECT_TRUE(seen.contains(info.full_name())) << info.full_name() << " is failed by no plugin";
  }
}

}  // namespace
}  // namespace tenon::check::test
