// A timeline is told of what ends in destructors, where nothing may be thrown.
#include <gtest/gtest.h>

#include "support/failing_allocator.h"
#include "tenon/timeline.h"

namespace tenon {
namespace {

/// Whether `tell` needs memory that is not there.
template <class Tell>
void without_memory(Tell tell) {
  test::allocations_left = 0;
  tell();
  const bool asked = test::allocations_left != 0;
  test::allocations_left = -1;
  ASSERT_TRUE(asked) << "nothing was allocated: the test shows nothing";
}

TEST(Timeline, DropsWhatThereIsNoMemoryFor) {
  Timeline launches, copies, memory;
  without_memory([&] { launches.launched(0, {10, 20}); });
  without_memory([&] { copies.copied(CopyKind::in, 8, {10, 20}); });
  without_memory([&] { memory.memory(64, 10); });
  for (const Timeline* timeline : {&launches, &copies, &memory}) {
    EXPECT_EQ(timeline->size(), 0u);
    EXPECT_EQ(timeline->dropped(), 1u);
  }
}

TEST(Timeline, KeepsAPartWhoseNumberThereIsNoMemoryFor) {
  Timeline timeline;
  without_memory([&] { timeline.passed("step", {1, 2}, 0); });
  EXPECT_EQ(timeline.size() + timeline.dropped(), 1u);
  timeline.passed("step", {3, 4}, 0);
  EXPECT_EQ(timeline.size() + timeline.dropped(), 2u);
}

}  // namespace
}  // namespace tenon
