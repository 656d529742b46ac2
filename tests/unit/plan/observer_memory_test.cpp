// Observers are told of what ends in destructors, where nothing may be thrown.
#include <gtest/gtest.h>

#include "support/failing_allocator.h"
#include "tenon/executor.h"
#include "tenon/launch_report.h"
#include "tenon/profile.h"
#include "tenon/timeline.h"
#include "watched_device.h"

namespace tenon::test {
namespace {

/// Whether there was need of memory, of which there was none.
template <class Tell>
bool asks_for_memory(Tell tell) {
  allocations_left = 0;
  EXPECT_NO_THROW(tell());
  const bool asked = allocations_left != 0;
  allocations_left = -1;
  return asked;
}

TEST(Observers, AreToldWithoutMemory) {
  Watched watched;
  watched.open();
  Timeline timeline;
  Profile profile(ReportForm::text, stderr);
  LaunchReport report(ReportForm::text, stderr);
  for (RunObserver* observer : {static_cast<RunObserver*>(&timeline), static_cast<RunObserver*>(&profile),
                                static_cast<RunObserver*>(&report)}) {
    testing::internal::CaptureStderr();
    observer->first_launch(*watched.fill, 0);
    testing::internal::GetCapturedStderr();
    asks_for_memory([&] { observer->launched(0, {10, 20}); });
    asks_for_memory([&] { observer->copied(CopyKind::in, 8, {10, 20}); });
    asks_for_memory([&] { observer->memory(64, 10); });
    asks_for_memory([&] { observer->passed("step", {1, 30}, 0); });
  }
}

TEST(Watch, EndsPartsAndCopiesWithoutMemory) {
  for (const bool synchronises : {true, false}) {
    Watched watched;
    if (!synchronises)
      watched.table().stream_synchronize = [](tenon_stream*, std::uint64_t) {
        return refuse_with_words("an error whose words are longer than what a string has room for without memory");
      };
    watched.open();
    Timeline timeline;
    Profile profile(ReportForm::text, stderr);
    Watch watch(watched.device, {&timeline, &profile});
    Executor executor(watched.device, &watch);
    auto buffer = Buffer::allocate(watched.device, 64);
    ASSERT_TRUE(buffer);
    Step step(watched.fill);
    step.set_output(0, buffer->ref());
    WatchScope part(&watch, "step");
    ASSERT_TRUE(executor.run(step));
    watch.copying(CopyKind::within, 8);
    asks_for_memory([&] { watch.copied(); });
    ASSERT_TRUE(executor.run(step));
    asks_for_memory([&] { part.end(); });
    asks_for_memory([&] { *buffer = Buffer(); });
    const auto reported = watched.device->synchronize();
    EXPECT_EQ(reported ? "" : reported.error().text, synchronises ? "" : "[cpu:0] the host has no memory left");
  }
}

TEST(Timeline, DropsWhatThereIsNoMemoryFor) {
  Timeline launches, copies, memory;
  EXPECT_TRUE(asks_for_memory([&] { launches.launched(0, {10, 20}); }));
  EXPECT_TRUE(asks_for_memory([&] { copies.copied(CopyKind::in, 8, {10, 20}); }));
  EXPECT_TRUE(asks_for_memory([&] { memory.memory(64, 10); }));
  for (const Timeline* timeline : {&launches, &copies, &memory}) {
    EXPECT_EQ(timeline->size(), 0u);
    EXPECT_EQ(timeline->dropped(), 1u);
  }
}

TEST(Timeline, KeepsAPartWhoseNumberThereIsNoMemoryFor) {
  Timeline timeline;
  EXPECT_TRUE(asks_for_memory([&] { timeline.passed("step", {1, 2}, 0); }));
  EXPECT_EQ(timeline.size() + timeline.dropped(), 1u);
  timeline.passed("step", {3, 4}, 0);
  EXPECT_EQ(timeline.size() + timeline.dropped(), 2u);
}

}  // namespace
}  // namespace tenon::test
