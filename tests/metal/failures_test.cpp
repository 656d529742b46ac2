// Whichever call of Metal fails, the program fails as it should or goes on: no signal, no hang, nothing kept.
//
// GPUSIM_WHOLE=1 has every call fail with every error, the normal run some.
#include "cli/failures.h"

#include "metal.h"

namespace tenon::test {
namespace {

class Failures : public OnFakeMetal {
 protected:
  static constexpr int internal = 1, access_revoked = 4, out_of_memory = 8, removed = 11;

  /// Answers whether there was such a call.
  bool expect_ordinary_end(int call, int error) {
    SCOPED_TRACE("call " + std::to_string(call) + " fails with " + std::to_string(error));
    place.set("TENON_GPUSIM_FAIL", "*:" + std::to_string(call) + ":" + std::to_string(error));
    const Outcome outcome = place.shell("timeout 60 \"$TENON\" train linear --data '" + line +
                                        "' --steps 2 --dtype float32 --plugin '" + manifest() + "' --device metal");
    EXPECT_TRUE(outcome.status == 0 || outcome.status == 1) << outcome.status << "\n" << outcome.err;
    if (outcome.status == 1) {
      EXPECT_EQ(lines_that_begin_with(outcome.err, "error: ").size(), 1u) << outcome.err;
      EXPECT_EQ(outcome.out, "");
    }
    return outcome.status != 0 || contains(outcome.err, " failed as planned");
  }
  /// Every step-th call from the first one until there are no more; answers how many calls failed.
  int expect_ordinary_ends(int first, int step, int error) {
    int failed = 0;
    for (int call = first; expect_ordinary_end(call, error); call += step) {
      ++failed;
      if (HasFailure()) break;
    }
    return failed;
  }
};

TEST_F(Failures, OfAnyCallEndOrdinarily) {
  if (is_whole()) {
    for (const int error : {internal, access_revoked, out_of_memory, removed})
      EXPECT_GT(expect_ordinary_ends(1, 1, error), 80);
    return;
  }
  EXPECT_GT(expect_ordinary_ends(1, 7, internal), 10);
  EXPECT_GT(expect_ordinary_ends(3, 17, out_of_memory), 3);
  EXPECT_GT(expect_ordinary_ends(5, 19, removed), 3);
}

/// What a person reads of a failure: one error with its reason and what to do next; nothing else changed.
class Told : public OnFakeMetal {
 protected:
  std::string expect_told(const Words& words, const std::string& reason) const {
    const std::string err = expect_failure(place, words + Words{"--save", (place / "model").string()});
    EXPECT_EQ(count(err, "\n  reason: " + reason + " ("), 1u) << err;
    EXPECT_EQ(count(err, "\n  next: "), 1u) << err;
    return err;
  }
};

TEST_F(Told, OutOfMemoryWithItsSizes) {
  place.set("TENON_GPUSIM_MEMORY_MIB", "6");
  const Words run{"train", "mlp", "--data", digits, "--steps", "1", "--hidden", "8192", "--dtype", "float32"};
  const std::string err = expect_told(run + on_metal(), "OUT_OF_MEMORY");
  EXPECT_TRUE(contains(err, "error: [metal:0] out of memory: 2097152 bytes were asked for, ")) << err;
  EXPECT_TRUE(contains(err, " of 6291456 bytes are free: [metal] out of memory: 2097152 bytes asked for")) << err;
}

TEST_F(Told, ALostDeviceInMetalsWords) {
  place.set("TENON_GPUSIM_FAIL", "commit:6:11");
  const std::string err = expect_told(train_a_line() + on_metal(), "DEVICE_LOST");
  EXPECT_TRUE(contains(err, "[metal] running work: failed as planned (MTLCommandBufferError 11)")) << err;
}

TEST_F(Told, AMachineWithoutGpus) {
  place.set("TENON_GPUSIM_DEVICES", "0");
  const std::string err = expect_told(train_a_line() + on_metal(), "NO_DEVICE");
  EXPECT_TRUE(contains(err, "error: [device] metal:0: Metal lists no device: ")) << err;
}

TEST_F(Told, AnOrdinalThatIsNotThereBesideThoseThatAre) {
  const std::string err = expect_told(train_a_line() + on_metal(":1"), "NO_DEVICE");
  EXPECT_TRUE(contains(err, "it found metal:0\n")) << err;
}

TEST_F(Told, AKernelThatDoesNotCompileInTheCompilersWords) {
  place.set("TENON_GPUSIM_METALLIB", "0");
  place.set("TENON_GPUSIM_FAIL", "newLibraryWithSource:1:3");
  const Outcome outcome = place.tenon(train_a_line() + on_metal());
  EXPECT_EQ(outcome.status, 1);
  EXPECT_TRUE(contains(outcome.err, "[metal] compiling the kernels of battery: program_source:1:1: error: "))
      << outcome.err;
}

TEST_F(Told, AFailedBatteryByItsCase) {
  place.set("TENON_GPUSIM_PLANT", "arrays_swapped");
  const std::string err = expect_told(train_a_line() + on_metal({}, "metal_planted"), "NO_CAPSULE");
  EXPECT_TRUE(contains(err,
                       "metal.strict.linear.f32: it declined (the strict battery fails on this device: binary32, a tie "
                       "goes to even: found 0x"))
      << err;
}

// Binary64 is what no Metal device has.
TEST_F(Told, NoCapsuleOfBinary64) {
  const Outcome outcome = place.tenon(Words{"capsules"} + on_metal());
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_TRUE(contains(outcome.out, "metal.strict.matmul.f32")) << outcome.out;
  EXPECT_FALSE(contains(outcome.out, "metal.strict.matmul.f64")) << outcome.out;
}

}  // namespace
}  // namespace tenon::test
