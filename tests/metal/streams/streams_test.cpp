// What a launch costs the thread that calls it, what many of them in a row become, and the order of work.
#include "small_host.h"

namespace tenon::test {
namespace {

class Streams : public OnMetal {};

TEST_F(Streams, LaunchesCallNothingOfMetals) {
  const unsigned long before = gpusim_metal_calls_of_this_thread();
  add(500);
  EXPECT_EQ(gpusim_metal_calls_of_this_thread(), before);
  expect_sum(500);
}

TEST_F(Streams, MoreLaunchesThanTheRingHoldsAreAllDone) {
  add(3000);
  expect_sum(3000);
}

// What the host hands over is copied in batches of many sizes; each must still be there when its turn comes.
TEST_F(Streams, MoreCopiesThanTheRingHoldsAreAllDone) {
  constexpr std::size_t count = 200;
  std::vector<tenon_ref> places;
  std::vector<std::vector<float>> found(count);
  add(1);
  for (std::size_t i = 0; i < count; ++i) {
    places.push_back(memory(elements * sizeof(float)));
    ASSERT_EQ(write(places[i], std::vector<float>(elements, static_cast<float>(i))), TENON_OK);
    add(30);
  }
  for (std::size_t i = 0; i < count; ++i) {
    ASSERT_EQ(read(found[i], places[i]), TENON_OK);
    add(30);
  }
  ASSERT_EQ(synchronize(), TENON_OK);
  for (std::size_t i = 0; i < count; ++i) EXPECT_EQ(found[i], std::vector<float>(elements, static_cast<float>(i)));
  expect_sum(1 + 2 * count * 30);
}

// The second one copies what the first one has computed so far, and the first one goes on when that is done.
TEST_F(Streams, AreOrderedByEvents) {
  constexpr std::size_t turns = 20, times = 70;
  tenon_stream* const second = another_stream();
  tenon_event *const computed = another_event(), *const copied = another_event();
  std::vector<tenon_ref> copies;
  for (std::size_t turn = 0; turn < turns; ++turn) {
    copies.push_back(memory(elements * sizeof(float)));
    add(times);
    ASSERT_EQ(d.event_record(computed, stream), TENON_OK);
    ASSERT_EQ(d.stream_wait(second, computed), TENON_OK);
    ASSERT_EQ(d.copy(second, copies[turn], sum, elements * sizeof(float)), TENON_OK);
    ASSERT_EQ(d.event_record(copied, second), TENON_OK);
    ASSERT_EQ(d.stream_wait(stream, copied), TENON_OK);
  }
  expect_sum(turns * times);
  for (std::size_t turn = 0; turn < turns; ++turn) {
    std::vector<float> found;
    ASSERT_EQ(read(found, copies[turn]), TENON_OK);
    ASSERT_EQ(synchronize(), TENON_OK);
    for (std::size_t i = 0; i < elements; ++i) EXPECT_EQ(found[i], static_cast<float>((turn + 1) * times) * values[i]);
  }
}

TEST_F(Streams, WaitForMoreEventsThanABatchHolds) {
  std::vector<tenon_event*> events;
  std::vector<tenon_stream*> others;
  tenon_stream* const own = stream;
  for (int i = 0; i < 6; ++i) {
    others.push_back(another_stream()), events.push_back(another_event());
    stream = others.back();
    if (i != 0) {
      ASSERT_EQ(d.stream_wait(stream, events[events.size() - 2]), TENON_OK);
    }
    add(10);
    ASSERT_EQ(d.event_record(events.back(), stream), TENON_OK);
  }
  stream = own;
  for (tenon_event* event : events) ASSERT_EQ(d.stream_wait(stream, event), TENON_OK);
  expect_sum(60);
}

// Work that was committed, and that nobody has waited for.
TEST_F(Streams, CopiesComeAfterTheWorkBeforeThem) {
  tenon_event* const event = another_event();
  add(70);
  ASSERT_EQ(d.event_record(event, stream), TENON_OK);
  EXPECT_EQ(d.event_query(event), TENON_PENDING);
  std::vector<float> found;
  ASSERT_EQ(read(found, sum), TENON_OK);
  ASSERT_EQ(write(x, std::vector<float>(elements)), TENON_OK);
  ASSERT_EQ(synchronize(), TENON_OK);
  for (std::size_t i = 0; i < elements; ++i) EXPECT_EQ(found[i], 70 * values[i]) << i;
  EXPECT_EQ(d.event_query(event), TENON_OK);
}

TEST_F(Streams, CopiesOfAnIdleOneTakeNoCommandBuffer) {
  ASSERT_EQ(synchronize(), TENON_OK);
  const unsigned long before = gpusim_metal_calls_of_this_thread();
  std::vector<float> found;
  ASSERT_EQ(write(x, values), TENON_OK);
  ASSERT_EQ(read(found, x), TENON_OK);
  EXPECT_EQ(gpusim_metal_calls_of_this_thread(), before);
  EXPECT_EQ(found, values);
}

TEST_F(Streams, EventsHaveTheTimesOfTheGpu) {
  tenon_event *const begin = another_event(), *const end = another_event(), *const never = another_event();
  ASSERT_EQ(d.event_record(begin, stream), TENON_OK);
  add(300);
  ASSERT_EQ(d.event_record(end, stream), TENON_OK);
  std::uint64_t passed = 0, back = 1;
  ASSERT_EQ(d.event_elapsed_ns(begin, end, &passed), TENON_OK) << Said::error;
  EXPECT_GT(passed, 300u * 1000u);  // each step of the fake's takes a microsecond
  ASSERT_EQ(d.event_elapsed_ns(end, begin, &back), TENON_OK);
  EXPECT_EQ(back, 0u);
  EXPECT_EQ(d.event_elapsed_ns(begin, never, &passed), TENON_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(Said::error, "[metal] an event that was never recorded has no time");
}

TEST_F(Streams, AnEventOutlivesItsStream) {
  tenon_stream *const own = stream, *other = nullptr;
  tenon_event* const event = another_event();
  ASSERT_EQ(d.stream_create(device, 0, &other), TENON_OK);
  stream = other;
  add(10);
  ASSERT_EQ(d.event_record(event, other), TENON_OK);
  ASSERT_EQ(d.stream_destroy(other), TENON_OK);
  stream = own;
  EXPECT_EQ(d.event_wait(event, TENON_FOREVER), TENON_OK);
  ASSERT_EQ(d.stream_wait(stream, event), TENON_OK);
  expect_sum(10);
}

}  // namespace
}  // namespace tenon::test
