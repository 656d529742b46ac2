// What a launch costs the thread that calls it, and what many of them in a row become.
#include "small_host.h"

namespace tenon::test {
namespace {

class Launches : public OnUnruly {
 protected:
  static constexpr std::size_t elements = 100;

  void SetUp() override {
    OnUnruly::SetUp();
    if (IsSkipped()) return;
    ASSERT_TRUE(visit.open());
    x = visit.memory(elements * sizeof(float)), sum = visit.memory(elements * sizeof(float));
    values.resize(elements), read.resize(elements);
    std::iota(values.begin(), values.end(), 1.0f);
    const std::vector<float> zeros(elements);
    ASSERT_TRUE(visit.prepare("add.f32", elements, 2) && visit.write(x, values) && visit.write(sum, zeros));
    ASSERT_TRUE(visit.synchronize());
  }
  /// x is added so often.
  void add(std::size_t times) {
    for (std::size_t i = 0; i < times; ++i) ASSERT_TRUE(visit.launch({sum, x, sum})) << visit.words;
  }
  void expect_sum(std::size_t times) {
    ASSERT_TRUE(visit.read(read, sum) && visit.synchronize()) << visit.words;
    for (std::size_t i = 0; i < elements; ++i) EXPECT_EQ(read[i], static_cast<float>(times) * values[i]) << i;
  }

  Visit visit;
  tenon_ref x{}, sum{};
  std::vector<float> values, read;
};

TEST_F(Launches, CallNothingOfTheDriver) {
  const int before = unruly.calls_of_this_thread();
  add(500);
  EXPECT_EQ(unruly.calls_of_this_thread(), before);
  expect_sum(500);
}

TEST_F(Launches, MoreThanTheRingHoldsAreAllDone) {
  add(3000);
  expect_sum(3000);
}

TEST_F(Launches, AreOrderedWithThoseOfAnotherStream) {
  const tenon_devices& d = visit.devices();
  tenon_stream *const first = visit.stream, *second = nullptr;
  ASSERT_EQ(d.stream_create(visit.device, 0, &second), TENON_OK);
  tenon_event* const event = visit.event();
  for (int turn = 0; turn < 20; ++turn) {
    add(70);
    ASSERT_EQ(d.event_record(event, visit.stream), TENON_OK);
    std::swap(visit.stream, second);
    ASSERT_EQ(d.stream_wait(visit.stream, event), TENON_OK);
  }
  expect_sum(20 * 70);
  EXPECT_EQ(d.stream_destroy(visit.stream == first ? second : visit.stream), TENON_OK);
  visit.stream = first;
}

}  // namespace
}  // namespace tenon::test
