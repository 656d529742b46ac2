#include <malloc.h>

#include "late_device.h"
#include "tenon/plugin/sanitizer.h"

namespace tenon::testing {
namespace {

/// left + right of two floats each.
class LateAddition : public LateDevice {
 protected:
  LateAddition() {
    call.operand<float>({2}, {0, 0}).operand<float>({2}, {0, 0}).output<float>({2});
    EXPECT_EQ(call.prepare(), TENON_OK) << TestHost::error;
  }
  const tenon_capsule* add = find_late("add.f32");
  Call call{add, "add.f32"};
};

TEST_F(LateDevice, WrapsEveryReferenceCapsuleInItsOwnDomain) {
  const auto is_reference = [](const tenon_capsule* c) { return std::string_view(c->provider) == "reference"; };
  const auto all = plugin::linked_capsules();
  EXPECT_EQ(late::table()->capsule_count, std::count_if(all.begin(), all.end(), is_reference));
  const tenon_capsule* exp = find_late("exp.f64");
  ASSERT_NE(exp, nullptr);
  EXPECT_STREQ(exp->memory_domain, "late");
  EXPECT_STREQ(exp->provider, "late");
  EXPECT_NE(exp->traits & TENON_TRAIT_ASYNC, 0u);
}

TEST_F(LateDevice, HasMemoryThatIsNoAddressAndNotZero) {
  const tenon_ref memory = allocate(64);
  EXPECT_LT(memory.memory, 4096u);
  for (const double value : download<double>(memory, 8)) EXPECT_TRUE(std::isnan(value));
  for (const float value : download<float>(memory, 16)) EXPECT_TRUE(std::isnan(value));
}

TEST_F(LateDevice, ReadsTheSourceOfACopyOnlyWhenItIsDone) {
  const tenon_ref memory = allocate(8);
  double source = 1, target = 0;
  ASSERT_EQ(devices.copy_in(stream, memory, &source, 8), TENON_OK);
  ASSERT_EQ(devices.copy_out(stream, &target, memory, 8), TENON_OK);
  EXPECT_EQ(target, 0);
  source = 2;
  ASSERT_EQ(synchronize(), TENON_OK);
  EXPECT_EQ(target, 2);
}

TEST_F(LateDevice, CopiesAndFillsInOrder) {
  const tenon_ref a = allocate(16), b = allocate(16);
  const float pattern = 3;
  ASSERT_EQ(devices.fill(stream, a, &pattern, 4, 16), TENON_OK);
  ASSERT_EQ(devices.copy(stream, {b.memory, 8}, a, 8), TENON_OK);
  ASSERT_EQ(devices.fill(stream, {b.memory, 0}, &pattern, 4, 4), TENON_OK);
  const std::vector<float> values = download<float>(b, 4);
  EXPECT_EQ(values[0], 3);
  EXPECT_TRUE(std::isnan(values[1]));
  EXPECT_EQ(values[2], 3);
  EXPECT_EQ(values[3], 3);
}

TEST_F(LateAddition, ComputesNothingBeforeItIsWaitedFor) {
  const tenon_ref x = upload<float>({1, 2}), y = upload<float>({10, 20}), z = allocate(8);
  float result[2] = {};
  ASSERT_EQ(launch(add, call, {x, y, z}), TENON_OK);
  ASSERT_EQ(devices.copy_out(stream, result, z, 8), TENON_OK);
  EXPECT_EQ(devices.stream_synchronize(stream, 0), TENON_PENDING);
  EXPECT_EQ(result[1], 0);
  ASSERT_EQ(synchronize(), TENON_OK);
  EXPECT_EQ(result[0], 11);
  EXPECT_EQ(result[1], 22);
}

TEST_F(LateAddition, DoesTheWorkBeforeAnEventAndNoMore) {
  const tenon_ref x = upload<float>({1, 2}), y = allocate(8);
  float first[2] = {}, second[2] = {};
  tenon_event* event = nullptr;
  ASSERT_EQ(devices.event_create(device, 0, &event), TENON_OK);
  EXPECT_EQ(devices.event_query(event), TENON_OK);  // never recorded
  ASSERT_EQ(launch(add, call, {x, x, y}), TENON_OK);
  ASSERT_EQ(devices.copy_out(stream, first, y, 8), TENON_OK);
  ASSERT_EQ(devices.event_record(event, stream), TENON_OK);
  ASSERT_EQ(devices.copy_out(stream, second, y, 8), TENON_OK);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(devices.event_query(event), TENON_PENDING);
  EXPECT_EQ(devices.event_wait(event, 0), TENON_PENDING);
  EXPECT_EQ(first[1], 0);
  ASSERT_EQ(devices.event_wait(event, TENON_FOREVER), TENON_OK);
  EXPECT_EQ(first[1], 4);
  EXPECT_EQ(second[1], 0);
  EXPECT_EQ(devices.event_query(event), TENON_OK);
  EXPECT_EQ(synchronize(), TENON_OK);
  EXPECT_EQ(second[1], 4);
  EXPECT_EQ(devices.event_destroy(event), TENON_OK);
}

TEST_F(LateAddition, WaitsForTheOtherStreamsEvent) {
  const tenon_ref x = upload<float>({1, 2}), y = allocate(8);
  tenon_stream* other = nullptr;
  tenon_event* event = nullptr;
  ASSERT_EQ(devices.stream_create(device, 0, &other), TENON_OK);
  ASSERT_EQ(devices.event_create(device, 0, &event), TENON_OK);
  ASSERT_EQ(launch(add, call, {x, x, y}), TENON_OK);
  ASSERT_EQ(devices.event_record(event, stream), TENON_OK);
  ASSERT_EQ(devices.stream_wait(other, event), TENON_OK);
  float result[2] = {};
  ASSERT_EQ(devices.copy_out(other, result, y, 8), TENON_OK);
  ASSERT_EQ(devices.stream_synchronize(other, TENON_FOREVER), TENON_OK);
  EXPECT_EQ(result[1], 4);
  EXPECT_EQ(devices.event_destroy(event), TENON_OK);
  EXPECT_EQ(devices.stream_destroy(other), TENON_OK);
}

TEST_F(LateDevice, CopiesScalarsAtLaunch) {
  const tenon_capsule* sgd = find_late("sgd.f64");
  Call call(sgd, "sgd.f64");
  call.operand<double>({1}, {0}).operand<double>({1}, {0}).output<double>({1}).scalar(0).in_place(0, 0);
  ASSERT_EQ(call.prepare(), TENON_OK);
  ASSERT_EQ(call.kernel.alias_count, 1u);
  const tenon_ref parameter = upload<double>({1}), gradient = upload<double>({4});
  tenon_scalar rate{};
  rate.f = 0.5;
  ASSERT_EQ(launch(sgd, call, {parameter, gradient, parameter}, &rate), TENON_OK) << TestHost::error;
  rate.f = 100;
  EXPECT_EQ(download<double>(parameter, 1)[0], -1);
}

TEST_F(LateDevice, UsesItsOwnMemoryAsWorkspace) {
  const tenon_capsule* linear = find_late("linear.f32");
  Call call(linear, "linear.f32");
  call.operand<float>({1, 2}, {0, 0}).operand<float>({2, 2}, {0, 0, 0, 0}).operand<float>({2}, {0, 0});
  ASSERT_EQ(call.output<float>({1, 2}).prepare(), TENON_OK);
  const std::vector<tenon_ref> refs{upload<float>({1, 2}), upload<float>({1, 0, 0, 1}), upload<float>({5, 6}),
                                    allocate(8)};
  EXPECT_EQ(launch(linear, call, refs), TENON_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(TestHost::error, "[linear] workspace 0: no memory is given");
  workspace = allocate(call.kernel.workspace_bytes);
  ASSERT_EQ(launch(linear, call, refs), TENON_OK) << TestHost::error;
  EXPECT_EQ(download<float>(refs[3], 2), (std::vector<float>{6, 8}));
}

TEST_F(LateDevice, ReportsTheErrorOfQueuedWorkWhenItIsWaitedFor) {
  const tenon_capsule* loss = find_late("cross_entropy.f32");
  Call call(loss, "cross_entropy.f32");
  call.operand<float>({1, 2}, {0, 0}).operand<std::uint32_t>({1}, {0}).output<float>({});
  ASSERT_EQ(call.prepare(), TENON_OK);
  const tenon_ref logits = upload<float>({1, 2}), labels = upload<std::uint32_t>({9}), result = allocate(4);
  tenon_event* event = nullptr;
  ASSERT_EQ(devices.event_create(device, 0, &event), TENON_OK);

  ASSERT_EQ(launch(loss, call, {logits, labels, result}, nullptr, 17), TENON_OK);
  ASSERT_EQ(devices.event_record(event, stream), TENON_OK);
  float after = 5;
  ASSERT_EQ(devices.copy_out(stream, &after, result, 4), TENON_OK);
  TestHost::error.clear();

  EXPECT_EQ(synchronize(), TENON_ERROR_INVALID_ARGUMENT);
  const std::string words = "launch 17: [cross_entropy] labels: element 0 is 9, but axis 1 of logits has size 2";
  EXPECT_EQ(TestHost::error, words);
  EXPECT_EQ(after, 5);  // what came after is discarded
  EXPECT_EQ(synchronize(), TENON_OK);

  EXPECT_EQ(devices.event_query(event), TENON_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(devices.event_wait(event, TENON_FOREVER), TENON_ERROR_INVALID_ARGUMENT);
  char room[200];
  tenon_text text{room, sizeof room, 0};
  EXPECT_EQ(devices.event_error(event, &text), TENON_OK);
  EXPECT_EQ(std::string(room, text.length), words);
  EXPECT_EQ(devices.event_destroy(event), TENON_OK);
}

TEST_F(LateAddition, RefusesPlacesThatAreNotTheirs) {
  const tenon_ref x = upload<float>({1, 2}), y = allocate(256), gone = allocate(8);
  free(gone);
  const auto refusal = [&](const std::vector<tenon_ref>& refs) {
    EXPECT_EQ(launch(add, call, refs), TENON_ERROR_INVALID_ARGUMENT);
    return TestHost::error;
  };
  const std::string of_x = "memory " + std::to_string(x.memory), of_y = "memory " + std::to_string(y.memory);
  EXPECT_EQ(refusal({x, x, {x.memory, 64}}), "[add] output 0: bytes 64 to 72 are out of bounds: " + of_x + " has 8");
  EXPECT_EQ(refusal({x, {y.memory, 4}, y}), "[add] input 1: offset 4 of " + of_y + " is no multiple of 64 bytes");
  EXPECT_EQ(refusal({gone, x, y}),
            "[add] input 0: memory " + std::to_string(gone.memory) + " was freed before this use");
  EXPECT_EQ(refusal({x, x, {}}), "[add] output 0: no memory is given");
  EXPECT_EQ(refusal({x, x, {4096, 0}}), "[add] output 0: 4096 is no memory of this device");
  EXPECT_EQ(refusal({x, y, y}), "[add] output 0 overlaps input 1, which was not granted");
  EXPECT_EQ(launch(add, call, {x, y, {y.memory, 64}}), TENON_OK);
}

TEST_F(LateAddition, NoticesMemoryThatIsFreedWhileWorkIsQueued) {
  const tenon_ref x = upload<float>({1, 2}), y = allocate(8);
  ASSERT_EQ(launch(add, call, {x, x, y}, nullptr, 3), TENON_OK);
  free(y);
  EXPECT_EQ(synchronize(), TENON_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(TestHost::error,
            "launch 3: [add] output 0: memory " + std::to_string(y.memory) + " was freed before this use");
}

TEST_F(LateDevice, NoticesKernelsThatAreReleasedWhileWorkIsQueued) {
  const tenon_capsule* neg = find_late("neg.f32");
  const tenon_ref x = upload<float>({1});
  {
    Call call(neg, "neg.f32");
    ASSERT_EQ(call.operand<float>({1}, {0}).output<float>({1}).in_place(0, 0).prepare(), TENON_OK);
    ASSERT_EQ(launch(neg, call, {x, x}), TENON_OK);
  }
  EXPECT_EQ(synchronize(), TENON_ERROR);
  EXPECT_EQ(TestHost::error, "launch 1: the kernel was released before its work was done");
}

TEST_F(LateDevice, RefusesCopiesOutOfBounds) {
  const tenon_ref x = allocate(8);
  double value = 0;
  EXPECT_EQ(devices.copy_in(stream, {x.memory, 4}, &value, 8), TENON_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(TestHost::error,
            "[copy_in] destination 0: bytes 4 to 12 are out of bounds: memory " + std::to_string(x.memory) + " has 8");
  EXPECT_EQ(devices.copy_out(stream, &value, {x.memory, 2}, 4), TENON_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(devices.memory_free(device, 12345), TENON_ERROR_INVALID_ARGUMENT);
}

TEST_F(LateAddition, AllocatesNothingPerLaunch) {
  if (plugin::sanitizers != 0) GTEST_SKIP() << "sanitizers keep their own heap";
  const tenon_ref x = upload<float>({1, 2}), y = allocate(8);
  const std::vector<tenon_ref> refs{x, x, y};
  launch(add, call, refs);
  const auto used = mallinfo2().uordblks;
  for (int i = 0; i < 100; ++i) launch(add, call, refs);
  EXPECT_EQ(mallinfo2().uordblks, used);
  EXPECT_EQ(synchronize(), TENON_OK);
}

TEST_F(LateAddition, KeepsItsOrderWhenTheQueueGrows) {
  const tenon_ref x = upload<float>({0, 1}), one = upload<float>({1, 1});
  Call in_place(add, "add.f32");
  in_place.operand<float>({2}, {0, 0}).operand<float>({2}, {0, 0}).output<float>({2}).in_place(0, 0);
  ASSERT_EQ(in_place.prepare(), TENON_OK);
  for (int i = 0; i < 1000; ++i) ASSERT_EQ(launch(add, in_place, {x, one, x}), TENON_OK) << TestHost::error;
  EXPECT_EQ(download<float>(x, 2), (std::vector<float>{1000, 1001}));
}

TEST_F(LateDevice, RunsOutOfTheMemoryThatItIsGiven) {
  tenon_attr option{};
  option.name = "memory_bytes";
  option.value.type = TENON_VALUE_TEXT;
  option.value.as.s = "1000";
  tenon_device* small = nullptr;
  ASSERT_EQ(devices.open(self, 0, 0, &option, 1, &small), TENON_OK) << TestHost::error;
  tenon_memory memory{};
  ASSERT_EQ(devices.memory_alloc(small, 600, 64, TENON_MEMORY_DEVICE, &memory), TENON_OK);
  EXPECT_EQ(devices.memory_alloc(small, 600, 64, TENON_MEMORY_DEVICE, &memory), TENON_ERROR_OUT_OF_MEMORY);
  EXPECT_EQ(TestHost::error, "[late] out of memory: 600 bytes asked for, 400 of 1000 free");
  std::uint64_t free_bytes = 0, total_bytes = 0;
  EXPECT_EQ(devices.memory_info(small, &free_bytes, &total_bytes), TENON_OK);
  EXPECT_EQ(free_bytes, 400u);
  EXPECT_EQ(total_bytes, 1000u);
  EXPECT_EQ(devices.close(small), TENON_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(TestHost::error, "[late] closed with 1 pieces of memory, 0 streams and 0 events alive");
}

TEST_F(LateDevice, RefusesUnknownOptionsAndOrdinals) {
  tenon_attr option{};
  option.name = "speed";
  tenon_device* none = nullptr;
  EXPECT_EQ(devices.open(self, 0, 0, &option, 1, &none), TENON_ERROR_UNKNOWN_OPTION);
  EXPECT_EQ(TestHost::error, "[late] unknown option speed: known are memory_bytes");
  EXPECT_EQ(devices.open(self, 1, 0, nullptr, 0, &none), TENON_ERROR_INVALID_ARGUMENT);
}

}  // namespace
}  // namespace tenon::testing
