// One plugin that crashes, hangs, prints, throws or leaks, in each of its functions in turn: a reason with words that
// name the function, or a warning, and never the end of this process.
#include "misdeeds.h"

namespace tenon::test {
namespace {

const std::vector<std::string> up_to_open{"constructor", "tenon_plugin_query", "initialize", "enumerate"};

TEST_F(Misdeeds, AreNeededForAFailure) {
  expect_usable();
  EXPECT_EQ(count(expect_negated(), "warning"), 0u);
}

TEST_F(Misdeeds, ACrashBeforeADeviceIsOpenIsAReason) {
  for (const std::string& where : up_to_open) {
    SCOPED_TRACE(where);
    misbehave("crash", where);
    expect_told("PROBE_CRASHED", {library_, "signal SIGSEGV"});
  }
}

TEST_F(Misdeeds, AHangBeforeADeviceIsOpenIsAReason) {
  place_.set("TENON_PROBE_TIMEOUT_MS", "100");
  for (const std::string& where : up_to_open) {
    SCOPED_TRACE(where);
    misbehave("hang", where);
    expect_told("PROBE_TIMED_OUT", {library_, "it did not answer within 100 ms"});
  }
}

TEST_F(Misdeeds, WhatIsPrintedBeforeADeviceIsOpenIsAWarningAndNoResult) {
  for (const std::string& where : up_to_open) {
    SCOPED_TRACE(where);
    misbehave("print", where);
    expect_usable();
    fs::remove(output_);
    const Outcome outcome = place_.tenon(negate());
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_EQ(outcome.out, "output (1, 2)\n");
    expect_words(outcome.err, {library_ + ": it wrote to standard output while it was probed: 'printed in " + where,
                               "printed in " + where + "\n"});
  }
}

TEST_F(Misdeeds, AnExceptionBeforeADeviceIsOpenIsAReason) {
  for (const std::string where : {"tenon_plugin_query", "initialize", "enumerate"}) {
    SCOPED_TRACE(where);
    misbehave("throw", where);
    expect_told("EXCEPTION_ESCAPED", {library_, "an exception escaped from " + where + ": thrown in " + where});
    misbehave("throw a number", where);
    expect_words(expect_failure(place_, negate()), {"reason: EXCEPTION_ESCAPED", where + ": of a type that the host "});
  }
}

TEST_F(Misdeeds, AnExceptionOfAConstructorIsAReason) {
  misbehave("throw", "constructor");
  // The C library's loader ends the process; a sanitizer's own dlopen() lets the exception through.
  if (listed("misbehaves")["reason"]["code"] == "LOAD_FAILED")
    expect_told("LOAD_FAILED", {library_, "thrown in constructor"});
  else
    expect_told("PROBE_CRASHED", {library_, "signal SIGABRT"});
}

TEST_F(Misdeeds, AnExceptionWhileADeviceIsUsedIsAnOrdinaryFailure) {
  for (const std::string where : {"open", "stream_create", "memory_alloc", "fill", "copy_in", "copy", "copy_out",
                                  "stream_synchronize", "prepare", "launch"}) {
    SCOPED_TRACE(where);
    const std::string escaped = library_ + ": an exception escaped from " + where + ": ";
    misbehave("throw", where);
    expect_words(expect_failure(place_, negate()), {escaped + "thrown in " + where, "reason: EXCEPTION_ESCAPED"});
    misbehave("throw a number", where);
    expect_words(expect_failure(place_, negate({"--backend", "compiled"})),
                 {escaped + "of a type that the host does not know", "reason: EXCEPTION_ESCAPED"});
  }
  expect_usable();
}

TEST_F(Misdeeds, AnExceptionOfALaunchNamesCapsuleAndOperands) {
  misbehave("throw", "launch");
  for (const std::vector<std::string>& more : {std::vector<std::string>{}, {"--show-backend"}})
    expect_words(expect_failure(place_, negate(more)),
                 {"thrown in launch", "while faulty.neg ran on faulty/misbehaves:0 for "});
}

TEST_F(Misdeeds, AnExceptionOfSupportsLeavesTheCapsuleOut) {
  misbehave("throw", "supports");
  expect_words(expect_failure(place_, negate()),
               {"reason: NO_CAPSULE", "an exception escaped from supports: thrown in supports"});
}

TEST_F(Misdeeds, AnExceptionAtAnEndIsAWarning) {
  for (const std::string where : {"memory_free", "release", "stream_destroy", "close"}) {
    SCOPED_TRACE(where);
    for (const std::string deed : {"throw", "throw a number"}) {
      misbehave(deed, where);
      expect_words(expect_negated(), {library_ + ": an exception escaped from " + where + ": "});
    }
  }
}

TEST_F(Misdeeds, ADeviceThatFailsToCloseIsAWarning) {
  const std::string closes = TENON_TEST_BUILD_DIR "/test-plugins/flawed/tenon_close.so";
  const std::string program = place_.write("n.tenon",
                                           "tenon program 1\n"
                                           "%x = input x : (batch, 2)\n"
                                           "forward\n"
                                           "  %y = neg(%x)\n"
                                           "  return %y\n");
  const Outcome outcome = place_.tenon({"run", program, "--input", numbers_, "--output", output_, "--dtype", "float",
                                        "--plugin", closes, "--device", "close"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(read_file(output_), "output0,output1\n-1.5,2.25\n");
  expect_words(outcome.err, {"tenon_close.so: [close] the door sticks"});
}

TEST_F(Misdeeds, AnExceptionWhereMemoryIsShortIsNoWorseThanTheWant) {
  place_.set("FAULTY_MEMORY", "none");
  misbehave("throw", "memory_info");
  expect_words(expect_failure(place_, negate()), {"reason: OUT_OF_MEMORY", "how much is free is not known"});
  misbehave("throw", "memory_trim");
  expect_words(expect_failure(place_, negate()), {"reason: EXCEPTION_ESCAPED", "thrown in memory_trim"});
}

TEST_F(Misdeeds, AnExceptionOfAnEventCostsTheDevicesOwnTimesOnly) {
  for (const std::string where : {"event_create", "event_record", "event_wait", "event_elapsed_ns", "event_destroy"}) {
    SCOPED_TRACE(where);
    misbehave("throw", where);
    expect_words(expect_negated({"--profile"}), {"profile: 2 launches of "});
  }
}

TEST_F(Misdeeds, WhatIsNeverGivenBackHarmsNobody) {
  misbehave("leak", "everywhere");
  expect_usable();
  EXPECT_EQ(expect_negated(), [&] {
    misbehave("none", "everywhere");
    return expect_negated();
  }());
}

}  // namespace
}  // namespace tenon::test
