// Whichever call of the driver fails, the program fails as it should or goes on: no signal, no hang, nothing kept.
//
// GPUSIM_WHOLE=1 has every call fail with every status, the normal run some.
#include <algorithm>
#include <array>

#include "cli/failures.h"
#include "simulated.h"

namespace tenon::test {
namespace {

class Failures : public Simulated {
 protected:
  static constexpr int unknown_error = 999, out_of_memory = 2, launch_failed = 719, invalid_value = 1;

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
  if (is_whole()) {
    for (const int status : {unknown_error, out_of_memory, launch_failed, invalid_value})
      EXPECT_GT(expect_ordinary_ends(1, 1, status), 200);
    return;
  }
  EXPECT_GT(expect_ordinary_ends(3, 29, unknown_error), 7);
  EXPECT_GT(expect_ordinary_ends(11, 31, out_of_memory), 6);
  EXPECT_GT(expect_ordinary_ends(17, 37, launch_failed), 6);
}

/// What a person reads of a failure: one error with its reason and what to do next; nothing else changed.
class Told : public Simulated {
 protected:
  std::string expect_told(const Words& words, const std::string& reason) const {
    const std::string err = expect_failure(place, words + Words{"--save", (place / "model").string()});
    EXPECT_EQ(count(err, "\n  reason: " + reason + " ("), 1u) << err;
    EXPECT_EQ(count(err, "\n  next: "), 1u) << err;
    return err;
  }
  /// At the creation of a session, in the words that `tenon devices` had before.
  std::string expect_refused(const std::string& reason) const {
    const nlohmann::json row = row_of(place, kind);
    EXPECT_EQ(row["reason"]["code"], reason);
    const std::string words = row["reason"]["text"],
                      err = expect_told(train_a_line() + Words{"--show-backend"}, reason);
    EXPECT_TRUE(contains(err, "error: [device] " + kind + ":0: " + words + " (plugin ")) << err;
    EXPECT_EQ(count(err, "capsule: "), 0u) << err;
    return words;
  }
  bool is_cuda() const { return kind == "cuda"; }
};

TEST_P(Told, OutOfMemoryWithItsSizes) {
  place.set("TENON_GPUSIM_MEMORY_MIB", "1");
  const Words run{"train", "mlp", "--data", digits, "--steps", "1", "--hidden", "4096", "--dtype", "float32"};
  const std::string err = expect_told(run + on(kind), "OUT_OF_MEMORY");
  EXPECT_TRUE(contains(err, "error: [" + kind + ":0] out of memory: 1048576 bytes were asked for, ")) << err;
  EXPECT_TRUE(contains(err, " of 1048576 bytes are free")) << err;
}

TEST_P(Told, ALostDeviceWithTheKernelThatRan) {
  place.set("TENON_GPUSIM_FAIL", (is_cuda() ? "cuLaunchKernel:30:719" : "hipModuleLaunchKernel:30:719"));
  const std::string err = expect_told(train_a_line(), "DEVICE_LOST");
  EXPECT_TRUE(contains(err, "unspecified launch failure (719)\n  while " + kind + ".native.")) << err;
  EXPECT_TRUE(contains(err, " ran on " + kind + ":0 for ")) << err;
}

TEST_P(Told, AnArchitectureWithoutCodeByItsName) {
  place.set("TENON_GPUSIM_ARCHITECTURE", is_cuda() ? "sm_52" : "gfx803");
  const std::string words = expect_refused("NO_CODE_FOR_ARCH");
  const std::string begin =
      is_cuda() ? "no code for sm_52: this plugin was built for " : "no code for gfx803: this plugin";
  EXPECT_TRUE(words.starts_with(begin)) << words;
}

TEST_P(Told, AnOldDriverByItsVersion) {
  place.set("TENON_GPUSIM_DRIVER_VERSION", is_cuda() ? "11080" : "40000000");
  const std::string words = expect_refused("DRIVER_TOO_OLD");
  EXPECT_TRUE(contains(words, is_cuda() ? "the driver is of version 11.8" : "the driver is of version 4.0")) << words;
  EXPECT_TRUE(contains(words, "; this plugin needs version ")) << words;
}

TEST_P(Told, NoDeviceInTheDriversWords) {
  place.set("TENON_GPUSIM_DEVICES", "0");
  EXPECT_TRUE(contains(expect_refused("NO_DEVICE"), is_cuda() ? "no CUDA-capable device" : "no ROCm-capable device"));
}

TEST_P(Told, AnOrdinalThatIsNotThereBesideThoseThatAre) {
  const std::string err = expect_told(train_a_line(":1"), "NO_DEVICE");
  EXPECT_TRUE(contains(err, "error: [device] " + kind + ":1: ")) << err;
  EXPECT_TRUE(contains(err, "it found " + kind + ":0\n")) << err;
}

// The probe, whose outcome is kept, found it.
TEST_P(Told, ADriverThatVanishesBetweenProbeAndOpen) {
  const fs::path drivers = place / "drivers";
  fs::create_directory(drivers);
  for (const auto& library : fs::directory_iterator(GPUSIM_FOLDER))
    fs::create_symlink(library.path(), drivers / library.path().filename());
  place.set("LD_LIBRARY_PATH", drivers.string());
  EXPECT_EQ(row_of(place, kind)["state"], "usable");
  for (const auto& library : fs::directory_iterator(drivers)) {
    fs::remove(library.path());
    std::ofstream(library.path()) << "no library";  // else the system's may be found
  }
  const std::string err = expect_told(train_a_line(), "DRIVER_MISSING");
  EXPECT_TRUE(contains(err, "error: [device] " + kind + ":0: " + drivers.string())) << err;
  EXPECT_TRUE(contains(err, " is not installed, or is not visible to this process")) << err;
}

INSTANTIATE_TEST_SUITE_P(On, Told, every_kind, name_of_kind);
INSTANTIATE_TEST_SUITE_P(On, Failures, every_kind, name_of_kind);

}  // namespace
}  // namespace tenon::test
