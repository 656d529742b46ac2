// The vendor example's device through the C ABI alone, as a host drives it.
#include <dlfcn.h>

#include "unit/plugins/harness.h"

namespace tenon::testing {
namespace {

const tenon_plugin& vendor() {
  static const tenon_plugin* const table = []() -> const tenon_plugin* {
    void* library = ::dlopen(TENON_TEST_BUILD_DIR "/test-plugins/vendor/tenon_vendor.so", RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) return nullptr;
    const auto ask = reinterpret_cast<decltype(&tenon_plugin_query)>(::dlsym(library, "tenon_plugin_query"));
    tenon_query query{};
    query.magic = TENON_QUERY_MAGIC;
    query.size = sizeof query;
    query.abi_min = query.abi_max = TENON_ABI;
    query.sanitizer = plugin::sanitizers;
    query.host_table = [](std::uint32_t) -> const void* { return TestHost::table(); };
    tenon_reply reply{};
    reply.size = sizeof reply;
    return ask(&query, &reply) == TENON_OK ? reply.plugin : nullptr;
  }();
  return *table;
}

class VendorDevice : public PluginTest {
 protected:
  VendorDevice() {
    EXPECT_EQ(vendor().initialize(nullptr, 0, &self), TENON_OK);
    EXPECT_EQ(devices.open(self, 0, 0, nullptr, 0, &device), TENON_OK);
    EXPECT_EQ(devices.stream_create(device, 0, &stream), TENON_OK);
    EXPECT_EQ(devices.stream_create(device, 0, &second), TENON_OK);
    EXPECT_EQ(devices.event_create(device, 0, &event), TENON_OK);
    EXPECT_EQ(devices.event_create(device, 0, &later), TENON_OK);
  }
  ~VendorDevice() override {
    for (tenon_event* e : {event, later}) EXPECT_EQ(devices.event_destroy(e), TENON_OK);
    for (tenon_stream* s : {stream, second}) EXPECT_EQ(devices.stream_destroy(s), TENON_OK);
    for (const std::uint64_t memory : allocated) EXPECT_EQ(devices.memory_free(device, memory), TENON_OK);
    EXPECT_EQ(devices.close(device), TENON_OK);
    vendor().shutdown(self);
  }

  tenon_ref allocate(std::uint64_t bytes) {
    tenon_memory memory{};
    EXPECT_EQ(devices.memory_alloc(device, bytes, 64, TENON_MEMORY_DEVICE, &memory), TENON_OK) << TestHost::error;
    EXPECT_EQ(memory.host, nullptr);
    allocated.push_back(memory.memory);
    return {memory.memory, 0};
  }
  template <class T>
  tenon_ref upload(const std::vector<T>& values) {
    const tenon_ref ref = allocate(values.size() * sizeof(T));
    EXPECT_EQ(devices.copy_in(stream, ref, values.data(), values.size() * sizeof(T)), TENON_OK);
    EXPECT_EQ(synchronize(stream), TENON_OK);
    return ref;
  }
  std::vector<float> download(tenon_ref ref, std::size_t count) {
    std::vector<float> values(count);
    EXPECT_EQ(devices.copy_out(stream, values.data(), ref, count * sizeof(float)), TENON_OK);
    EXPECT_EQ(synchronize(stream), TENON_OK) << TestHost::error;
    return values;
  }
  void fill(tenon_stream* on, tenon_ref ref, float value, std::size_t count) {
    EXPECT_EQ(devices.fill(on, ref, &value, sizeof value, count * sizeof value), TENON_OK) << TestHost::error;
  }
  std::int32_t synchronize(tenon_stream* on) { return devices.stream_synchronize(on, TENON_FOREVER); }
  std::string words_of(tenon_event* e) {
    char words[200];
    tenon_text text{words, sizeof words, 0};
    EXPECT_EQ(devices.event_error(e, &text), TENON_OK);
    return {words, text.length};
  }

  /// Queues the loss of two rows of two classes, with labels that fit or do not.
  std::int32_t queue_loss(const std::vector<std::uint32_t>& labels, std::uint64_t launch_id) {
    const tenon_capsule* capsule = nullptr;
    for (std::uint32_t i = 0; i < vendor().capsule_count; ++i)
      if (std::string_view(vendor().capsules[i]->name) == "vendor.exact.cross_entropy.f32")
        capsule = vendor().capsules[i];
    calls.push_back(std::make_unique<Call>(capsule, "cross_entropy.f32"));
    calls.back()->operand<float>({2, 2}, {0, 0, 0, 0}).operand<std::uint32_t>({2}, labels).output<float>({});
    EXPECT_EQ(calls.back()->prepare(), TENON_OK);
    const std::vector<tenon_ref> refs{upload<float>({0, 0, 0, 0}), upload(labels), allocate(sizeof(float))};
    const tenon_args args{refs.data(), nullptr, {}, {}, nullptr, launch_id, {}};
    return capsule->launch(calls.back()->kernel.kernel, &args, stream);
  }

  const tenon_devices& devices = *vendor().devices;
  void* self = nullptr;
  tenon_device* device = nullptr;
  tenon_stream *stream = nullptr, *second = nullptr;
  tenon_event *event = nullptr, *later = nullptr;
  std::vector<std::uint64_t> allocated;
  std::vector<std::unique_ptr<Call>> calls;
};

TEST_F(VendorDevice, DoesMoreWorkInOrderThanItsQueueHolds) {
  const tenon_ref ref = allocate(4 * sizeof(float));
  for (int i = 0; i <= 5000; ++i) fill(stream, ref, static_cast<float>(i), 4);
  EXPECT_EQ(download(ref, 4), std::vector<float>(4, 5000));
}

TEST_F(VendorDevice, WaitsOnOneStreamForAnEventOfAnother) {
  constexpr std::size_t count = 1 << 20;  // so many that the second stream would be there first
  const tenon_ref from = allocate(count * sizeof(float)), to = allocate(count * sizeof(float));
  for (int i = 1; i <= 10; ++i) {
    fill(stream, from, static_cast<float>(i), count);
    EXPECT_EQ(devices.event_record(event, stream), TENON_OK);
    EXPECT_EQ(devices.stream_wait(second, event), TENON_OK);
    EXPECT_EQ(devices.copy(second, to, from, count * sizeof(float)), TENON_OK);
    EXPECT_EQ(synchronize(second), TENON_OK);
    EXPECT_EQ(download(to, count), std::vector<float>(count, static_cast<float>(i)));
  }
}

TEST_F(VendorDevice, MeasuresTheTimeBetweenTwoEvents) {
  std::uint64_t nanoseconds = 0;
  EXPECT_EQ(devices.event_elapsed_ns(event, later, &nanoseconds), TENON_ERROR_INVALID_ARGUMENT);
  const tenon_ref ref = allocate(1 << 20);
  EXPECT_EQ(devices.event_record(event, stream), TENON_OK);
  fill(stream, ref, 1, 1 << 18);
  EXPECT_EQ(devices.event_record(later, stream), TENON_OK);
  EXPECT_EQ(devices.event_wait(later, TENON_FOREVER), TENON_OK);
  EXPECT_EQ(devices.event_elapsed_ns(event, later, &nanoseconds), TENON_OK);
  EXPECT_GT(nanoseconds, 0u);
  EXPECT_EQ(devices.event_elapsed_ns(later, event, &nanoseconds), TENON_OK);
  EXPECT_EQ(nanoseconds, 0u);
}

TEST_F(VendorDevice, NeedsNoTimeToSayThatAStreamHasNothingToDo) {
  const tenon_ref to = allocate(64);
  for (int i = 0; i < 1000; ++i) {
    ASSERT_EQ(devices.fill(stream, to, &i, sizeof i, 64), TENON_OK);
    ASSERT_EQ(synchronize(stream), TENON_OK);
    ASSERT_EQ(devices.stream_synchronize(stream, 0), TENON_OK) << "round " << i;
  }
}

TEST_F(VendorDevice, TellsOfFailedWorkAtEventsAndOnceAtSynchronize) {
  EXPECT_EQ(queue_loss({0, 2}, 7), TENON_OK) << "a launch fails when its work is done, not before";
  EXPECT_EQ(devices.event_record(event, stream), TENON_OK);
  EXPECT_EQ(devices.event_wait(event, TENON_FOREVER), TENON_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(TestHost::error, "launch 7: label 2 of row 1: there are 2 classes");
  EXPECT_EQ(devices.event_query(event), TENON_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(words_of(event), TestHost::error);
  EXPECT_EQ(synchronize(stream), TENON_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(synchronize(stream), TENON_OK);
}

TEST_F(VendorDevice, DiscardsWhatFollowsAFailureUntilSomebodyHasHeardOfIt) {
  const tenon_ref ref = upload<float>({1, 1});
  EXPECT_EQ(queue_loss({5, 0}, 1), TENON_OK);
  fill(stream, ref, 2, 2);
  EXPECT_EQ(synchronize(stream), TENON_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(download(ref, 2), (std::vector<float>{1, 1}));
  fill(stream, ref, 3, 2);
  EXPECT_EQ(download(ref, 2), (std::vector<float>{3, 3}));
}

TEST_F(VendorDevice, HasFinishedAllWorkAfterQuiesce) {
  const tenon_ref ref = allocate(1 << 22);
  fill(stream, ref, 1, 1 << 20);
  EXPECT_EQ(devices.event_record(event, stream), TENON_OK);
  EXPECT_EQ(vendor().quiesce(self), TENON_OK);
  EXPECT_EQ(devices.event_query(event), TENON_OK);
}

TEST_F(VendorDevice, LetsAnEventGoThatWorkStillWaitsFor) {
  const tenon_ref ref = allocate(1 << 20);
  fill(stream, ref, 4, 1 << 18);
  EXPECT_EQ(devices.event_record(event, stream), TENON_OK);
  EXPECT_EQ(devices.stream_wait(second, event), TENON_OK);
  EXPECT_EQ(devices.event_destroy(event), TENON_OK);
  EXPECT_EQ(devices.event_create(device, 0, &event), TENON_OK);
  EXPECT_EQ(synchronize(second), TENON_OK);
  EXPECT_EQ(download(ref, 1), (std::vector<float>{4}));
}

TEST_F(VendorDevice, CountsItsMemoryAndSaysWhenThereIsNoMore) {
  std::uint64_t free = 0, total = 0, after = 0;
  EXPECT_EQ(devices.memory_info(device, &free, &total), TENON_OK);
  EXPECT_EQ(free, total);
  allocate(1000);
  EXPECT_EQ(devices.memory_info(device, &after, &total), TENON_OK);
  EXPECT_EQ(after, free - 1000);
  tenon_memory memory{};
  EXPECT_EQ(devices.memory_alloc(device, total, 64, TENON_MEMORY_DEVICE, &memory), TENON_ERROR_OUT_OF_MEMORY);
  EXPECT_EQ(TestHost::error, "[vendor] out of memory: 1073741824 bytes asked for, 1073740824 of 1073741824 free");
}

TEST_F(VendorDevice, RefusesCopiesBeyondTheMemoryAndHalfPatterns) {
  const tenon_ref ref = allocate(8);
  const float value[3] = {};
  EXPECT_EQ(devices.copy_in(stream, ref, value, 12), TENON_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(TestHost::error, "[copy_in] 12 bytes from byte 0 on: the memory has 8");
  EXPECT_EQ(devices.copy_in(stream, {ref.memory, 8}, value, 4), TENON_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(devices.fill(stream, ref, value, 3, 8), TENON_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(synchronize(stream), TENON_OK);
}

}  // namespace
}  // namespace tenon::testing
