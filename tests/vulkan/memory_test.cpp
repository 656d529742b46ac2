// Where memory lies on a graphics card, whose own memory the host does not see.
#include "small_host.h"

namespace tenon::test {
namespace {

class Card : public OnUnruly {
 protected:
  enum Type : unsigned { own, uncached, cached, window };  // as the layer numbers them

  void SetUp() override {
    OnUnruly::SetUp();
    if (IsSkipped()) return;
    unruly.plan("discrete");
    ASSERT_TRUE(visit.open()) << visit.words;
  }
  Visit visit;
};

TEST_F(Card, KeepsTensorsInItsOwnMemoryAndStagesThroughWhatTheHostCaches) {
  constexpr std::uint64_t bytes = 40 << 20;  // more than a block has
  const auto staged = unruly.bytes_of_type(cached), before = unruly.bytes_of_type(own);
  EXPECT_GT(staged, 0u);
  const tenon_ref x = visit.memory(bytes);
  EXPECT_GE(unruly.bytes_of_type(own), before + bytes);
  const tenon_ref seen = visit.memory(bytes, TENON_MEMORY_PINNED);
  EXPECT_GE(unruly.bytes_of_type(cached), staged + bytes);
  EXPECT_EQ(unruly.bytes_of_type(uncached), 0u);
  EXPECT_EQ(unruly.bytes_of_type(window), 0u);

  std::vector<float> values(bytes / sizeof(float)), read(values.size());
  std::iota(values.begin(), values.end(), 0.0f);
  ASSERT_TRUE(visit.write(x, values) && visit.read(read, x) &&
              visit.step("copy", visit.devices().copy(visit.stream, seen, x, bytes)) && visit.synchronize());
  EXPECT_EQ(read, values);
  EXPECT_EQ(std::memcmp(visit.mapped(), values.data(), bytes), 0);
  EXPECT_STREQ(unruly.faults(), "");
}

TEST_F(Card, HasAsMuchMemoryAsItsLargestHeap) {
  std::uint64_t free_bytes = 0, total_bytes = 0;
  ASSERT_EQ(visit.devices().memory_info(visit.device, &free_bytes, &total_bytes), TENON_OK);
  visit.memory(total_bytes + 1);
  EXPECT_EQ(visit.status, TENON_ERROR_OUT_OF_MEMORY);
  EXPECT_NE(visit.words.find("the device has " + std::to_string(total_bytes)), std::string::npos) << visit.words;
  EXPECT_LE(free_bytes, total_bytes);
}

TEST_F(Card, MemoryForCopiesDoesNotTakeFromItsOwn) {
  std::uint64_t before = 0, after = 0, total_bytes = 0;
  ASSERT_EQ(visit.devices().memory_info(visit.device, &before, &total_bytes), TENON_OK);
  visit.memory(1 << 20, TENON_MEMORY_PINNED);
  ASSERT_EQ(visit.devices().memory_info(visit.device, &after, &total_bytes), TENON_OK);
  EXPECT_EQ(after, before);
}

class Ordinals : public OnUnruly {};

TEST_F(Ordinals, AreDevicesOfTheirOwn) {
  unruly.plan("devices:2");
  Visit visit;
  ASSERT_TRUE(visit.open(1)) << visit.words;
  EXPECT_EQ(visit.names, (std::vector<std::string>{"device number 0", "device number 1"}));
  const tenon_ref x = visit.memory(64);
  const std::vector<float> ones(16, 1.0f), twos(16, 2.0f);
  std::vector<float> read(16), read_first(16);
  ASSERT_TRUE(visit.write(x, ones) && visit.synchronize());
  {
    tenon_device *const second = visit.device, *first = nullptr;
    tenon_stream *const second_stream = visit.stream, *stream = nullptr;
    const tenon_devices& d = visit.devices();
    ASSERT_TRUE(visit.step("open", visit.open_another(0, &first)));
    ASSERT_TRUE(visit.step("stream_create", d.stream_create(first, 0, &stream)));
    tenon_memory memory{};
    ASSERT_TRUE(visit.step("memory_alloc", d.memory_alloc(first, 64, 64, TENON_MEMORY_DEVICE, &memory)));
    visit.device = first, visit.stream = stream;
    ASSERT_TRUE(visit.write({memory.memory, 0}, twos) && visit.read(read_first, {memory.memory, 0}) &&
                visit.synchronize());
    EXPECT_EQ(d.memory_free(first, memory.memory), TENON_OK);
    EXPECT_EQ(d.stream_destroy(stream), TENON_OK);
    EXPECT_EQ(d.close(first), TENON_OK);
    visit.device = second, visit.stream = second_stream;
  }
  ASSERT_TRUE(visit.read(read, x) && visit.synchronize()) << visit.words;
  EXPECT_EQ(read, ones);
  EXPECT_EQ(read_first, twos);
  EXPECT_STREQ(unruly.faults(), "");
}

TEST_F(Ordinals, ThatAreNotThereAreRefusedByNumber) {
  unruly.plan("devices:2");
  Visit visit;
  EXPECT_FALSE(visit.open(2));
  EXPECT_EQ(visit.words, "[vulkan] there is no device vulkan:2: the last one is vulkan:1");
}

}  // namespace
}  // namespace tenon::test
