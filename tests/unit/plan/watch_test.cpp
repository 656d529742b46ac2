// What a watch takes for one kernel, what it makes of times that are told late, and whose words an error has.
#include "tenon/watch.h"

#include "tenon/executor.h"
#include "tenon/profile.h"
#include "watched_device.h"

namespace tenon::test {
namespace {

TEST(Watch, TellsKernelsApartByAttributesAndMode) {
  const Registry registry = registry_of("cpu");
  Profile profile(ReportForm::text, stderr);
  Watch watch(registry.device(), {&profile});
  const TensorType square{DType::f32, Shape{3, 3}}, row{DType::f32, Shape{3}}, part{DType::f32, Shape{2, 3}};
  const auto number_of = [&](const Request& request) {
    const auto kernel = Kernel::prepare(registry, request);
    EXPECT_TRUE(kernel) << to_string(kernel.error());
    std::uint32_t number = Watch::unseen;
    watch.launching(**kernel, number);
    watch.launched();
    return number;
  };
  const auto sum = [&](int axis) { return Request{Op::reduce_sum, Axes{Shape{axis}}, {square}, {row}}; };
  const auto rows_from = [&](int start) { return Request{Op::slice, Slice{0, start, start + 2}, {square}, {part}}; };
  Request in_training = sum(0);
  in_training.mode = GradientMode::training;
  EXPECT_EQ(number_of(sum(0)), 0u);
  EXPECT_EQ(number_of(sum(1)), 1u);
  EXPECT_EQ(number_of(in_training), 2u);
  EXPECT_EQ(number_of(rows_from(0)), 3u);
  EXPECT_EQ(number_of(rows_from(1)), 4u);
  EXPECT_EQ(number_of(sum(0)), 0u);
  EXPECT_EQ(number_of(rows_from(0)), 3u);
  EXPECT_EQ(watch.facts(true).kernels.size(), 5u);
}

/// Remembers what it is told of.
struct Listener final : RunObserver {
  void launched(std::uint32_t kernel, TimeSpan when) override {
    kernels.push_back(kernel);
    durations_ns.push_back(when.duration_ns());
  }
  std::vector<std::uint32_t> kernels;
  std::vector<std::uint64_t> durations_ns;
};

TEST(Watch, TellsEveryObserverOfTimesThatComeLate) {
  Watched watched;
  watched.open();
  Listener first, second;
  Watch watch(watched.device, {&first, &second});
  Executor executor(watched.device, &watch);
  auto buffer = Buffer::allocate(watched.device, 64);
  ASSERT_TRUE(buffer);
  Step step(watched.fill);
  step.set_output(0, buffer->ref());
  for (int i = 0; i < 2; ++i) ASSERT_TRUE(executor.run(step));
  EXPECT_TRUE(first.kernels.empty());
  EXPECT_EQ(watch.facts(true).times, TimeSource::device_events);
  for (const Listener* listener : {&first, &second}) {
    EXPECT_EQ(listener->kernels, (std::vector<std::uint32_t>{0, 0}));
    EXPECT_EQ(listener->durations_ns, (std::vector<std::uint64_t>{1000, 1000}));
  }
}

/// What a launch that fails without a word is said to be, on a device that has failed in something else before.
template <class Break>
std::string words_after(Break break_table) {
  Watched watched([](void*, const tenon_args*, tenon_stream*) -> std::int32_t { return TENON_ERROR_DEVICE_LOST; });
  break_table(watched.table());
  watched.open();
  Listener listener;
  Watch watch(watched.device, {&listener});
  Executor executor(watched.device, &watch);
  Step step(watched.fill);
  EXPECT_FALSE(executor.run(step));
  return executor.error(step).text;
}

TEST(Watch, LeavesNoWordsOfEventsToALaterError) {
  const auto expect_wordless = [](const std::string& text) {
    EXPECT_NE(text.find("without a word)"), std::string::npos) << text;
  };
  expect_wordless(words_after([](tenon_devices& table) {
    table.event_create = [](tenon_device*, std::uint32_t, tenon_event**) { return refuse_with_words("no event"); };
  }));
  expect_wordless(words_after([](tenon_devices& table) {
    table.event_record = [](tenon_event*, tenon_stream*) { return refuse_with_words("no record"); };
    table.event_destroy = [](tenon_event*) { return refuse_with_words("no end"); };
  }));
  expect_wordless(words_after([](tenon_devices& table) {
    table.event_wait = [](tenon_event*, std::uint64_t) { return refuse_with_words("no wait"); };
  }));
  expect_wordless(words_after([](tenon_devices& table) {
    table.event_elapsed_ns = [](tenon_event*, tenon_event*, std::uint64_t*) { return refuse_with_words("no time"); };
  }));
}

TEST(Watch, LeavesNoWordsOfMemoryToALaterError) {
  Watched watched;
  static const auto really_free = watched.table().memory_free;
  watched.table().memory_free = [](tenon_device* device, std::uint64_t memory) {
    really_free(device, memory);
    return refuse_with_words("not freed");
  };
  watched.open();
  ASSERT_TRUE(Buffer::allocate(watched.device, 64));
  EXPECT_EQ(take_plugin_error(), "");
}

}  // namespace
}  // namespace tenon::test
