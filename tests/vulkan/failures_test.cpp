// Whichever call of Vulkan fails, the plugin says so or goes on: no crash, nothing left, no command on what is gone.
//
// TENON_VULKAN_NIGHTLY=1 has every call fail with every result; the normal run has some fail.
#include <array>

#include "small_host.h"

namespace tenon::test {
namespace {

class Failures : public OnUnruly {
 protected:
  static constexpr std::size_t elements = 5000, launches = 150;

  /// Copies in, adds on and on over several batches, fills, reads back, with events and two kinds of memory.
  static void work(Visit& visit) {
    if (!visit.open()) return;
    const tenon_ref x = visit.memory(elements * sizeof(float)), sum = visit.memory(elements * sizeof(float));
    const tenon_ref seen = visit.memory(elements * sizeof(float), TENON_MEMORY_PINNED);
    tenon_event* const event = visit.event();
    std::vector<float> values(elements), read(elements), filled(elements);
    std::iota(values.begin(), values.end(), 1.0f);
    const float three = 3;
    const tenon_devices& d = visit.devices();
    bool well = visit.prepare("add.f32", elements, 2) && visit.write(x, values) &&
                visit.step("fill", d.fill(visit.stream, sum, &three, sizeof three, elements * sizeof(float)));
    for (std::size_t i = 0; well && i < launches; ++i) well = visit.launch({sum, x, sum});
    well = well && visit.step("copy", d.copy(visit.stream, seen, sum, elements * sizeof(float))) &&
           visit.read(read, sum) && visit.step("event_record", d.event_record(event, visit.stream)) &&
           visit.step("event_wait", d.event_wait(event, TENON_FOREVER)) && visit.launch({x, x, x}) &&
           visit.synchronize();
    if (!well) return;
    for (std::size_t i = 0; i < elements; ++i) {
      const float expected = 3 + static_cast<float>(launches) * values[i];
      ASSERT_EQ(read[i], expected) << i;
      ASSERT_EQ(static_cast<const float*>(visit.mapped())[i], expected) << i;
    }
  }

  /// Answers whether there was such a call.
  bool expect_ordinary_end(const std::string& plan) {
    SCOPED_TRACE(plan);
    unruly.plan(plan.c_str());
    std::string failure, words;
    {
      Visit visit;
      work(visit);
      failure = visit.failure, words = visit.words;
    }
    EXPECT_STREQ(unruly.faults(), "") << failure << ": " << words;
    EXPECT_EQ(Said::end, TENON_OK) << Said::error;
    EXPECT_EQ(words.find("the validation layer"), std::string::npos) << failure << ": " << words;
    const std::string failed = unruly.failed();
    EXPECT_TRUE(failure.empty() || words.starts_with("[vulkan] ")) << failure << ": " << words;
    return !failed.empty();
  }
  int expect_ordinary_ends(int first, int step, int result) {
    int failed = 0;
    for (int call = first; !HasFailure(); call += step, ++failed) {
      if (!expect_ordinary_end("fail:*:" + std::to_string(call) + ":" + std::to_string(result))) break;
    }
    return failed;
  }
  static bool all() { return std::getenv("TENON_VULKAN_NIGHTLY") != nullptr; }
};

constexpr int out_of_host_memory = -1, out_of_device_memory = -2, device_lost = -4, unknown = -13;

TEST_F(Failures, OfNothingLeaveNothingBehind) {
  EXPECT_FALSE(expect_ordinary_end(""));
  EXPECT_GT(unruly.calls(), 60);
}

TEST_F(Failures, OfAnyCallEndOrdinarily) {
  if (all()) {
    for (const int result : {out_of_host_memory, out_of_device_memory, device_lost, unknown})
      EXPECT_GT(expect_ordinary_ends(1, 1, result), 60);
    return;
  }
  EXPECT_GT(expect_ordinary_ends(1, 5, out_of_device_memory), 10);
  EXPECT_GT(expect_ordinary_ends(3, 11, device_lost), 5);
  EXPECT_GT(expect_ordinary_ends(2, 13, unknown), 4);
}

TEST_F(Failures, OfMemoryAreOutOfMemory) {
  for (const char* function : {"AllocateMemory", "CreateBuffer", "BindBufferMemory"}) {
    for (const int result : {out_of_host_memory, out_of_device_memory}) {
      Visit visit;
      ASSERT_TRUE(visit.open());
      unruly.plan(("fail:" + std::string(function) + ":1:" + std::to_string(result)).c_str());
      visit.memory(100 << 20);
      EXPECT_EQ(visit.failure, "memory_alloc") << function;
      EXPECT_EQ(visit.status, TENON_ERROR_OUT_OF_MEMORY) << function;
      EXPECT_NE(visit.words.find("104857600"), std::string::npos) << visit.words;
    }
  }
}

TEST_F(Failures, OfMemoryAreOverWhenThereIsMemoryAgain) {
  Visit visit;
  ASSERT_TRUE(visit.open());
  unruly.plan("fail:AllocateMemory:1:-2");
  tenon_memory made{};
  EXPECT_EQ(visit.devices().memory_alloc(visit.device, 100 << 20, 256, TENON_MEMORY_DEVICE, &made),
            TENON_ERROR_OUT_OF_MEMORY);
  EXPECT_EQ(visit.devices().memory_trim(visit.device), TENON_OK);
  EXPECT_NE(visit.memory(100 << 20).memory, 0u) << visit.words;
}

// -- a lost device ------------------------------------------------------------------------------------------

class LostDevice : public Failures {};

TEST_F(LostDevice, IsToldWithItsCookieByWhoeverMeetsItFirst) {
  Visit visit;
  ASSERT_TRUE(visit.open());
  unruly.plan("lost:1");
  const tenon_ref x = visit.memory(64);
  EXPECT_TRUE(visit.write(x, std::vector<float>(16)));
  EXPECT_FALSE(visit.synchronize());
  EXPECT_EQ(visit.status, TENON_ERROR_DEVICE_LOST);
  EXPECT_EQ(visit.words, "[vulkan] submitting work: VK_ERROR_DEVICE_LOST");
  EXPECT_EQ(Said::lost, "[vulkan] the driver lost the device");
  EXPECT_EQ(Said::lost_cookie, Visit::cookie);
}

TEST_F(LostDevice, StaysLost) {
  Visit visit;
  ASSERT_TRUE(visit.open());
  const tenon_ref x = visit.memory(64);
  tenon_event* const event = visit.event();
  ASSERT_EQ(visit.devices().event_record(event, visit.stream), TENON_OK);
  unruly.plan("fail:QueueSubmit:1:-4");  // and every later call succeeds
  EXPECT_TRUE(visit.write(x, std::vector<float>(16)));
  const tenon_devices& d = visit.devices();
  EXPECT_EQ(d.stream_synchronize(visit.stream, TENON_FOREVER), TENON_ERROR_DEVICE_LOST);
  EXPECT_EQ(d.stream_synchronize(visit.stream, TENON_FOREVER), TENON_ERROR_DEVICE_LOST);
  EXPECT_EQ(d.event_query(event), TENON_ERROR_DEVICE_LOST);
  EXPECT_EQ(d.event_wait(event, 0), TENON_ERROR_DEVICE_LOST);
  EXPECT_EQ(d.event_record(event, visit.stream), TENON_ERROR_DEVICE_LOST);
  tenon_text words{};
  EXPECT_EQ(d.event_error(event, &words), TENON_OK);
}

TEST_F(LostDevice, WritesToNobodyAfterItsErrorWasTold) {
  std::vector<float> target(1000, 7.0f);
  {
    Visit visit;
    ASSERT_TRUE(visit.open());
    const tenon_ref x = visit.memory(4000);
    ASSERT_TRUE(visit.write(x, std::vector<float>(1000, 1.0f)) && visit.read(target, x));
    ASSERT_EQ(visit.devices().event_record(visit.event(), visit.stream), TENON_OK);  // submitted, and not read back yet
    unruly.plan("fail:WaitSemaphores:1:-4");
    EXPECT_EQ(visit.devices().stream_synchronize(visit.stream, TENON_FOREVER), TENON_ERROR_DEVICE_LOST);
    visit.leave_under_way();
  }
  EXPECT_EQ(target, std::vector<float>(1000, 7.0f));
}

TEST_F(LostDevice, IsOpenedAgain) {
  {
    Visit visit;
    ASSERT_TRUE(visit.open());
    unruly.plan("lost:1");
    EXPECT_TRUE(visit.write(visit.memory(64), std::vector<float>(16)));
    EXPECT_FALSE(visit.synchronize());
  }
  unruly.plan("");
  Visit visit;
  work(visit);
  EXPECT_EQ(visit.failure, "") << visit.words;
}

// -- a submission that fails --------------------------------------------------------------------------------

class FailedSubmission : public Failures {};

TEST_F(FailedSubmission, IsTheNextSynchronisesError) {
  Visit visit;
  ASSERT_TRUE(visit.open());
  const tenon_ref x = visit.memory(64);
  ASSERT_TRUE(visit.prepare("add.f32", 16, 2) && visit.write(x, std::vector<float>(16)) && visit.synchronize());
  unruly.plan("fail:QueueSubmit:1:-2");
  const tenon_devices& d = visit.devices();
  bool well = true;
  for (int i = 0; well && i < 300; ++i) well = visit.launch({x, x, x});
  EXPECT_EQ(d.stream_synchronize(visit.stream, TENON_FOREVER), TENON_ERROR_OUT_OF_MEMORY);
  EXPECT_EQ(d.stream_synchronize(visit.stream, TENON_FOREVER), TENON_OK);
}

// What was noted and never submitted names memory that the host gives back once the error is told.
TEST_F(FailedSubmission, IsNotTriedAgainOnMemoryThatIsGone) {
  {
    Visit visit;
    ASSERT_TRUE(visit.open());
    EXPECT_TRUE(visit.write(visit.memory(64), std::vector<float>(16)));
    unruly.plan("fail:QueueSubmit:1:-2");
    EXPECT_FALSE(visit.synchronize());
    visit.leave_under_way();
  }
  EXPECT_STREQ(unruly.faults(), "");
}

TEST_F(FailedSubmission, IsToldOnlyWhenWorkBeforeItHasEnded) {
  Visit visit;
  ASSERT_TRUE(visit.open());
  const tenon_ref x = visit.memory(elements * sizeof(float));
  std::vector<float> values(elements, 2.0f), read(elements);
  ASSERT_TRUE(visit.write(x, values) && visit.read(read, x));
  ASSERT_EQ(visit.devices().event_record(visit.event(), visit.stream), TENON_OK);
  unruly.plan("fail:QueueSubmit:1:-2");
  ASSERT_TRUE(visit.write(x, values));
  EXPECT_FALSE(visit.synchronize());
  EXPECT_EQ(read, values);
}

}  // namespace
}  // namespace tenon::test
