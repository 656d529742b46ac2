// What becomes of work when Metal fails, and what is told of it.
#include "small_host.h"

namespace tenon::test {
namespace {

class Failing : public OnMetal {
 protected:
  static constexpr int timeout = 2, out_of_memory = 8, removed = 11;
};

// Several command buffers are under way behind the one that fails, and none of them may hang.
TEST_F(Failing, WorkIsToldOnceByTheNextSynchronise) {
  gpusim_metal_fail("commit", 2, timeout);
  add(500);
  EXPECT_EQ(synchronize(), TENON_ERROR);
  EXPECT_EQ(Said::error, "[metal] running work: failed as planned (MTLCommandBufferError 2)");
  EXPECT_EQ(synchronize(), TENON_OK);
  ASSERT_EQ(write(sum, std::vector<float>(elements)), TENON_OK);
  add(3);
  expect_sum(3);
}

TEST_F(Failing, WorkIsToldByItsEvent) {
  tenon_event *const before = another_event(), *const event = another_event();
  add(1);
  ASSERT_EQ(d.event_record(before, stream), TENON_OK);
  gpusim_metal_fail("commit", 1, out_of_memory);
  add(1);
  ASSERT_EQ(d.event_record(event, stream), TENON_OK);
  EXPECT_EQ(d.event_wait(event, TENON_FOREVER), TENON_ERROR_OUT_OF_MEMORY);
  EXPECT_EQ(d.event_wait(before, TENON_FOREVER), TENON_OK);
  EXPECT_EQ(synchronize(), TENON_ERROR_OUT_OF_MEMORY);
  EXPECT_EQ(synchronize(), TENON_OK);
}

// A failed command buffer signals nothing: what waits on the GPU for its end must still go on.
TEST_F(Failing, WorkDoesNotHoldAnotherStreamUp) {
  tenon_stream *const first = stream, *const second = another_stream();
  tenon_event* const event = another_event();
  gpusim_metal_fail("commit", 1, timeout);
  add(1);
  ASSERT_EQ(d.event_record(event, first), TENON_OK);
  ASSERT_EQ(d.stream_wait(second, event), TENON_OK);
  stream = second;
  ASSERT_EQ(d.copy(stream, x, sum, elements * sizeof(float)), TENON_OK);
  EXPECT_EQ(synchronize(), TENON_OK) << Said::error;
  stream = first;
  EXPECT_EQ(synchronize(), TENON_ERROR);
}

TEST_F(Failing, EncodingDropsWhatFollowsUntilItIsTold) {
  gpusim_metal_fail("computeCommandEncoder", 1, 1);
  add(200);
  EXPECT_EQ(synchronize(), TENON_ERROR);
  EXPECT_EQ(Said::error, "[metal] encoding kernels: Metal does not say why");
  expect_sum(0);
  add(2);
  expect_sum(2);
}

TEST_F(Failing, ALostDeviceIsToldToTheHost) {
  Said::lost.clear();
  gpusim_metal_fail("commit", 1, removed);
  add(1);
  EXPECT_EQ(synchronize(), TENON_ERROR_DEVICE_LOST);
  EXPECT_EQ(Said::lost, "[metal] running work: failed as planned (MTLCommandBufferError 11)");
  add(1);
  EXPECT_EQ(synchronize(), TENON_ERROR_DEVICE_LOST);
  EXPECT_EQ(Said::error, "[metal] committing work: the device is lost");
}

TEST_F(Failing, CallsThatMakeAStreamLeaveNothing) {
  for (const char* function : {"newSharedEvent", "newCommandQueue", "newBufferWithLength"}) {
    gpusim_metal_fail(function, 1, 1);
    tenon_stream* none = nullptr;
    EXPECT_NE(d.stream_create(device, 0, &none), TENON_OK) << function;
  }
}

}  // namespace
}  // namespace tenon::test
