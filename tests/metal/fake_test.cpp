// The fake Metal finds every misuse of misuse.mm, each in a process of its own, and has nothing against right use.
#include "metal.h"

namespace tenon::test {
namespace {

struct Misuse {
  const char *name, *words;
};
void PrintTo(const Misuse& misuse, std::ostream* out) { *out << misuse.name; }

class Fake : public OnFakeMetal, public testing::WithParamInterface<Misuse> {
 protected:
  Outcome use(const std::string& name) const { return place.shell("'" METAL_MISUSE "' " + name); }
};

TEST_P(Fake, Finds) {
  const Outcome outcome = use(GetParam().name);
  EXPECT_TRUE(outcome.status == 86 || outcome.status == 134) << outcome.status;
  EXPECT_TRUE(outcome.err.starts_with("gpusim: " + std::string(GetParam().words))) << outcome.err;
}

constexpr Misuse all[] = {
    {"encoder_not_ended", "a MTLComputeCommandEncoder was released without endEncoding"},
    {"committed_while_encoding", "commit: an encoder of the command buffer was not ended"},
    {"two_encoders_at_once", "blitCommandEncoder: an encoder of the command buffer was not ended"},
    {"ended_twice", "endEncoding was called twice"},
    {"encoded_after_the_end", "setComputePipelineState: the encoder was ended already"},
    {"committed_twice", "commit: the command buffer was committed already"},
    {"waited_for_without_commit", "waitUntilCompleted: the command buffer was not committed"},
    {"nothing_bound", "elementwise_scale: nothing is bound to [[buffer(1)]]"},
    {"no_pipeline", "dispatchThreadgroups: there is no pipeline"},
    {"index_that_is_not_there", "setBuffer: there is no place 31"},
    {"offset_beyond_the_buffer", "setBuffer: offset 64 of a buffer that has 64 bytes"},
    {"too_many_bytes", "setBytes: was given 5000 bytes"},
    {"too_many_threads", "elementwise_scale: threadgroups of 2048 threads"},
    {"dispatch_of_nothing", "elementwise_scale: a dispatch of nothing"},
    {"empty_buffer", "newBufferWithLength: was asked for an empty buffer"},
    {"copy_of_odd_bytes", "copyFromBuffer: 7 bytes from 0 on are no whole words"},
    {"copy_beyond_the_buffer", "copyFromBuffer: 64 bytes from 32 on of a buffer that has 64"},
    {"copy_onto_itself", "copyFromBuffer: source and destination overlap"},
    {"fill_of_odd_bytes", "fillBuffer: 4 bytes from 2 on are no whole words"},
    {"nobody_signals", "a command buffer waits for a value that nobody signals"},
    {"signalled_backwards", "an event is signalled with a value that it has passed"},
    {"time_of_work_under_way", "GPUEndTime of a command buffer that is not completed"},
    {"strict_kernels_with_fast_mathematics", "newLibraryWithSource: was given strict kernels with fast mathematics"},
    {"source_that_includes", "newLibraryWithSource: was given a source that includes a file"},
    {"leaked", "leak: 1 MTLBuffer"},
    {"released_twice", "a MTLBuffer is used after it was deallocated"},
    {"used_after_it_was_deallocated", "a MTLBuffer is used after it was deallocated"},
    {"without_a_pool", "a NSString was autoreleased with no pool in place"},
};
INSTANTIATE_TEST_SUITE_P(Misuse, Fake, testing::ValuesIn(all),
                         [](const auto& of) { return std::string(of.param.name); });

TEST_F(Fake, SaysNothingOfRightUse) {
  for (const char* lateness : {"late", "random", "at_once"}) {
    place.set("TENON_GPUSIM_LATENESS", lateness);
    const Outcome outcome = use("right");
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_EQ(outcome.out + outcome.err, "");
  }
}

}  // namespace
}  // namespace tenon::test
