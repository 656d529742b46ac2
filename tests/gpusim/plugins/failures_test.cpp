// Whichever call of the driver fails, the program fails as it should or goes on: no signal, no hang, nothing kept.
//
// GPUSIM_FAILURES=all has every call fail with every status, the normal run some.
#include <algorithm>
#include <array>

#include "simulated.h"

namespace tenon::test {
namespace {

class Failures : public Simulated {
 protected:
  static constexpr int unknown_error = 999, out_of_memory = 2, launch_failed = 719, invalid_value = 1;

  static bool all() { return std::getenv("GPUSIM_FAILURES") != nullptr; }

  /// What failed as planned was to give something back: then that is still there, and rightly complained of.
  static bool was_giving_back(const std::string& err) {
    const std::size_t end = err.find(" failed as planned");
    if (end == std::string::npos) return false;
    const std::size_t begin = err.rfind(' ', end - 1) + 1;
    const std::string function = err.substr(begin, end - begin);
    return std::ranges::any_of(std::array{"Free", "Destroy", "Release", "Unload"},
                               [&](const char* word) { return contains(function, word); });
  }
  /// Answers whether there was such a call.
  bool expect_ordinary_end(int call, int status) {
    SCOPED_TRACE("call " + std::to_string(call) + " fails with " + std::to_string(status));
    place.set("TENON_GPUSIM_FAIL", "*:" + std::to_string(call) + ":" + std::to_string(status));
    const Outcome outcome =
        place.shell("timeout 60 \"$TENON\" train linear --data '" + line + "' --steps 2 --dtype float32 --plugin '" +
                    manifest(kind) + "' --device " + kind);
    // What failed in the probe's process is not told here, but then there is no device.
    const bool failed = outcome.status != 0 || contains(outcome.err, " failed as planned");
    if (outcome.status == 86 && was_giving_back(outcome.err)) return failed;
    EXPECT_TRUE(outcome.status == 0 || outcome.status == 1) << outcome.status << "\n" << outcome.err;
    if (outcome.status == 1) {
      EXPECT_EQ(lines_that_begin_with(outcome.err, "error: ").size(), 1u) << outcome.err;
      EXPECT_EQ(outcome.out, "");
    }
    return failed;
  }
  /// Every step-th call from the first one until there are no more; answers how many calls failed.
  int expect_ordinary_ends(int first, int step, int status) {
    int failed = 0;
    for (int call = first; expect_ordinary_end(call, status); call += step) {
      ++failed;
      if (HasFailure()) break;
    }
    return failed;
  }
};

TEST_P(Failures, OfAnyCallEndOrdinarily) {
  if (all()) {
    for (const int status : {unknown_error, out_of_memory, launch_failed, invalid_value})
      EXPECT_GT(expect_ordinary_ends(1, 1, status), 200);
    return;
  }
  EXPECT_GT(expect_ordinary_ends(3, 29, unknown_error), 7);
  EXPECT_GT(expect_ordinary_ends(11, 31, out_of_memory), 6);
  EXPECT_GT(expect_ordinary_ends(17, 37, launch_failed), 6);
}

TEST_P(Failures, OutOfMemoryIsToldWithItsSizes) {
  place.set("TENON_GPUSIM_MEMORY_MIB", "1");
  const Outcome outcome = train({"mlp", "--data", digits, "--steps", "1", "--hidden", "4096"}, on(kind));
  EXPECT_EQ(outcome.status, 1);
  EXPECT_TRUE(contains(outcome.err, "] out of memory: ")) << outcome.err;
  EXPECT_TRUE(contains(outcome.err, "reason: OUT_OF_MEMORY")) << outcome.err;
}

TEST_P(Failures, ALostDeviceIsTold) {
  place.set("TENON_GPUSIM_FAIL", (kind == "cuda" ? "cuLaunchKernel:30:719" : "hipModuleLaunchKernel:30:719"));
  const Outcome outcome = train_a_line();
  EXPECT_EQ(outcome.status, 1);
  EXPECT_TRUE(contains(outcome.err, "reason: DEVICE_LOST")) << outcome.err;
}

TEST_P(Failures, AnArchitectureWithoutCodeIsRefusedByName) {
  place.set("TENON_GPUSIM_ARCHITECTURE", kind == "cuda" ? "sm_52" : "gfx803");
  const Outcome outcome = train_a_line();
  EXPECT_EQ(outcome.status, 1);
  EXPECT_TRUE(contains(outcome.err, kind == "cuda" ? "no code for sm_52" : "no code for gfx803")) << outcome.err;
  EXPECT_TRUE(contains(outcome.err, "reason: NO_CODE_FOR_ARCH")) << outcome.err;
}

TEST_P(Failures, AnOldDriverIsToldByItsVersion) {
  place.set("TENON_GPUSIM_DRIVER_VERSION", kind == "cuda" ? "11080" : "40000000");
  const Outcome outcome = train_a_line();
  EXPECT_EQ(outcome.status, 1);
  EXPECT_TRUE(contains(outcome.err, "reason: DRIVER_TOO_OLD")) << outcome.err;
}

TEST_P(Failures, NoDeviceIsToldAsThat) {
  place.set("TENON_GPUSIM_DEVICES", "0");
  const Outcome outcome = train_a_line();
  EXPECT_EQ(outcome.status, 1);
  EXPECT_TRUE(contains(outcome.err, "reason: NO_DEVICE")) << outcome.err;
}

TEST_P(Failures, ADriverThatVanishesAfterTheProbeIsMissed) {
  const Words devices{"devices", "--plugin", manifest(kind)};
  EXPECT_TRUE(contains(place.tenon(devices).out, "gpusim"));
  place.set("LD_LIBRARY_PATH", "/nonexistent");
  const Outcome outcome = train_a_line();
  EXPECT_EQ(outcome.status, 1);
  // The latter where a real driver is installed that has no device.
  EXPECT_TRUE(contains(outcome.err, "reason: DRIVER_MISSING") || contains(outcome.err, "reason: NO_DEVICE"))
      << outcome.err;
}

TEST_P(Failures, AnOrdinalThatIsNotThereIsRefused) {
  const Outcome outcome = train_a_line(":1");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_TRUE(contains(outcome.err, kind + ":1")) << outcome.err;
}

INSTANTIATE_TEST_SUITE_P(On, Failures, every_kind, name_of_kind);

}  // namespace
}  // namespace tenon::test
