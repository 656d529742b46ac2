#include "../../../plugins/cpu/device.h"
#include "../../../plugins/cpu/machine.h"
#include "harness.h"

namespace tenon::testing {
namespace {

class CpuDevice : public PluginTest {
 protected:
  CpuDevice() {
    EXPECT_EQ(devices.open(nullptr, 0, 0, nullptr, 0, &device), TENON_OK);
    EXPECT_EQ(devices.stream_create(device, 0, &stream), TENON_OK);
  }
  ~CpuDevice() override {
    devices.stream_destroy(stream);
    devices.close(device);
  }
  const tenon_devices& devices = cpu::devices;
  tenon_device* device = nullptr;
  tenon_stream* stream = nullptr;
};

TEST_F(CpuDevice, IsOnePortableProcessorWithBinary64) {
  int count = 0;
  const auto look = [](void* context, const tenon_device_info* info) {
    ++*static_cast<int*>(context);
    EXPECT_STREQ(info->kind, "cpu");
    EXPECT_STREQ(info->memory_domain, "host");
    EXPECT_EQ(info->device_class, std::uint32_t{TENON_CLASS_CPU});
    EXPECT_EQ(info->flags, TENON_DEVICE_UNIFIED_MEMORY | TENON_DEVICE_BINARY64);
    EXPECT_TRUE(plugin::same(info->native_float, plugin::dtype_of<double>));
    EXPECT_EQ(info->usable, 0);
    EXPECT_NE(*info->name, '\0');
  };
  ASSERT_EQ(devices.enumerate(nullptr, look, &count), TENON_OK);
  EXPECT_EQ(count, 1);
}

TEST_F(CpuDevice, GivesAlignedMemoryThatTheHostCanReach) {
  tenon_memory memory{};
  for (const std::uint64_t bytes : {0u, 1u, 1000u}) {
    ASSERT_EQ(devices.memory_alloc(device, bytes, 8, TENON_MEMORY_DEVICE, &memory), TENON_OK);
    EXPECT_NE(memory.memory, 0u);
    EXPECT_EQ(memory.memory % 64, 0u);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(memory.host), memory.memory);
    EXPECT_EQ(memory.bytes, bytes);
    ASSERT_EQ(devices.memory_free(device, memory.memory), TENON_OK);
  }
}

TEST_F(CpuDevice, SaysHowMuchItWasAskedForWhenMemoryIsOut) {
  tenon_memory memory{};
  const std::uint64_t beyond = std::uint64_t{1} << 60;
  EXPECT_EQ(devices.memory_alloc(device, beyond, 64, TENON_MEMORY_DEVICE, &memory), TENON_ERROR_OUT_OF_MEMORY);
  EXPECT_EQ(TestHost::error.find("[cpu] out of memory: 1152921504606846976 bytes asked for; the machine has "), 0u)
      << TestHost::error;
  TestHost::exhausted = true;
  EXPECT_EQ(devices.memory_alloc(device, 8, 64, TENON_MEMORY_DEVICE, &memory), TENON_ERROR_OUT_OF_MEMORY);
  std::uint64_t free_bytes = 0, total_bytes = 0;
  EXPECT_EQ(devices.memory_info(device, &free_bytes, &total_bytes), TENON_OK);
  EXPECT_GT(total_bytes, free_bytes);
}

TEST_F(CpuDevice, CopiesAndFillsAtOnce) {
  std::vector<float> values(4, 0);
  const tenon_ref at{reinterpret_cast<std::uintptr_t>(values.data()), 0};
  const float pattern[] = {1, 2};
  ASSERT_EQ(devices.fill(stream, at, pattern, sizeof pattern, 16), TENON_OK);
  EXPECT_EQ(values, (std::vector<float>{1, 2, 1, 2}));
  const float source = 7;
  ASSERT_EQ(devices.copy_in(stream, {at.memory, 4}, &source, 4), TENON_OK);
  ASSERT_EQ(devices.copy(stream, {at.memory, 8}, {at.memory, 4}, 4), TENON_OK);
  float result = 0;
  ASSERT_EQ(devices.copy_out(stream, &result, {at.memory, 8}, 4), TENON_OK);
  EXPECT_EQ(result, 7);
  EXPECT_EQ(devices.copy_in(stream, {}, nullptr, 0), TENON_OK);
  EXPECT_EQ(devices.fill(stream, at, pattern, 8, 12), TENON_ERROR_INVALID_ARGUMENT);
}

TEST_F(CpuDevice, HasEventsThatAreDoneWhenTheyAreRecorded) {
  tenon_event* event = nullptr;
  ASSERT_EQ(devices.event_create(device, 0, &event), TENON_OK);
  EXPECT_EQ(devices.event_record(event, stream), TENON_OK);
  EXPECT_EQ(devices.stream_wait(stream, event), TENON_OK);
  EXPECT_EQ(devices.event_query(event), TENON_OK);
  EXPECT_EQ(devices.event_wait(event, 0), TENON_OK);
  EXPECT_EQ(devices.stream_synchronize(stream, 0), TENON_OK);
  EXPECT_EQ(devices.event_destroy(event), TENON_OK);
}

TEST_F(CpuDevice, RefusesOtherOrdinalsAndUnknownOptions) {
  tenon_device* none = nullptr;
  EXPECT_EQ(devices.open(nullptr, 1, 0, nullptr, 0, &none), TENON_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(TestHost::error, "[cpu] there is no device cpu:1: the only one is cpu:0");
  tenon_attr option{};
  option.name = "threads";
  EXPECT_EQ(devices.open(nullptr, 0, 0, &option, 1, &none), TENON_ERROR_UNKNOWN_OPTION);
  EXPECT_EQ(TestHost::error, "[cpu] unknown option threads: known are none");
  EXPECT_EQ(devices.close(nullptr), TENON_ERROR_INVALID_ARGUMENT);
}

TEST_F(CpuDevice, LeavesOptionalSlotsNull) {
  EXPECT_EQ(devices.memory_import, nullptr);
  EXPECT_EQ(devices.event_elapsed_ns, nullptr);
  EXPECT_EQ(devices.submit, nullptr);
  EXPECT_EQ(devices.graph_begin, nullptr);
}

}  // namespace
}  // namespace tenon::testing
