#include <cmath>

#include "families.h"

namespace gpusim {
namespace {

const Way any_way{32, Schedule::random, 7};

TEST(Memory, RefusesMoreThanTheDeviceHas) {
  Memory memory(1 << 20);
  EXPECT_NE(memory.allocate(1 << 19), nullptr);
  EXPECT_EQ(memory.allocate((1 << 19) + 1), nullptr);
  EXPECT_NE(memory.allocate(1 << 19), nullptr);
  EXPECT_EQ(memory.used_bytes(), std::size_t{1} << 20);
}

TEST(Memory, FreesAnAllocationOnceAndOnlyAtItsBegin) {
  Memory memory(1 << 20);
  auto* base = static_cast<char*>(memory.allocate(512));
  EXPECT_FALSE(memory.free(base + 256));
  EXPECT_TRUE(memory.free(base));
  EXPECT_FALSE(memory.free(base));
  EXPECT_EQ(memory.used_bytes(), 0u);
}

TEST(Memory, DoesNotUseAnAddressAgainSoon) {
  Memory memory(1 << 20);
  std::set<void*> seen;
  for (int i = 0; i < 500; ++i) {
    void* base = memory.allocate(4096);
    EXPECT_TRUE(seen.insert(base).second);
    memory.free(base);
  }
}

TEST(Memory, IsNotWrittenByACopyOfWhatNobodyWrote) {
  Device device(any_way.settings());
  Arrays arrays(device);
  auto* from = arrays.unwritten<float>(128);
  auto* to = arrays.of(std::vector<float>(128, 1.0f));
  auto* out = arrays.unwritten<float>(128);
  device.memory().copy(to, from, 128 * sizeof(float));
  launch(device, instrumented(), "unwritten_input_read", {2}, {64}, 0, out, to, static_cast<int*>(nullptr));
  EXPECT_EQ(device.reports().count(Fault::uninitialised), 128u);
}

TEST(Memory, HoldsNaNsUntilItIsWritten) {
  Device device(any_way.settings());
  Arrays arrays(device);
  for (const float value : arrays.read(arrays.unwritten<float>(16), 16)) EXPECT_TRUE(std::isnan(value));
}

TEST(Memory, CountsAsWrittenAfterAPlainKernel) {
  Device device(any_way.settings());
  Arrays arrays(device);
  auto* in = arrays.unwritten<float>(128);
  auto* out = arrays.unwritten<float>(128);
  launch(device, plain(), "unwritten_input_read", {2}, {64}, 0, in, out, static_cast<int*>(nullptr));
  launch(device, instrumented(), "unwritten_input_read", {2}, {64}, 0, out, in, static_cast<int*>(nullptr));
  EXPECT_TRUE(device.reports().empty()) << device.reports().text();
}

TEST(Memory, OfAThreadHoldsAPatternUntilItIsWritten) {
  for (const Library* library : {&instrumented(), &plain()}) {
    Device device(any_way.settings());
    const Outcome outcome = run_single(device, *library, "local_unwritten");
    for (const float value : outcome.values) EXPECT_FALSE(std::abs(value) < 1e9f) << value;  // GCC: huge; clang: NaN
  }
}

TEST(Memory, OfAnAllocationThatWasFreedIsReported) {
  Device device(any_way.settings());
  Arrays arrays(device);
  auto* in = arrays.of(std::vector<float>(128, 1.0f));
  auto* out = arrays.unwritten<float>(128);
  device.memory().free(in);
  EXPECT_FALSE(
      launch(device, instrumented(), "unwritten_input_read", {2}, {64}, 0, out, in, static_cast<int*>(nullptr)));
  EXPECT_EQ(faults(device), std::set<std::string>{"use after free"});
}

TEST(Memory, OfAnotherDeviceIsReported) {
  Device device(any_way.settings()), other(any_way.settings());
  Arrays arrays(device), others(other);
  auto* in = others.of(std::vector<float>(128, 1.0f));
  auto* out = arrays.unwritten<float>(128);
  EXPECT_FALSE(
      launch(device, instrumented(), "unwritten_input_read", {2}, {64}, 0, out, in, static_cast<int*>(nullptr)));
  EXPECT_EQ(faults(device), std::set<std::string>{"out of bounds"});
}

TEST(Memory, RunsKernelsAfterOneThatBrokeOff) {
  Device device(any_way.settings());
  run_single(device, instrumented(), "host_pointer");
  device.reports().clear();
  const Outcome outcome = run_matmul(device, instrumented(), "matmul");
  EXPECT_TRUE(device.reports().empty()) << device.reports().text();
  EXPECT_EQ(outcome.values, outcome.expected);
}

TEST(MemoryDeathTest, TellsThatTheHostTouchedIt) {
  Device device(any_way.settings());
  Arrays arrays(device);
  auto* array = arrays.of(std::vector<float>(16, 1.0f));
  EXPECT_EXIT(*const_cast<volatile float*>(array) = 2, testing::ExitedWithCode(86),
              "the host touched .* memory of a device: copy");
}

TEST(MemoryDeathTest, TellsWhichPlainKernelTouchedABadAddress) {
  Device device(any_way.settings());
  EXPECT_EXIT(run_single(device, plain(), "host_pointer"), testing::ExitedWithCode(86),
              "kernel host_pointer, block .* touched 0x1234560");
}

TEST(Report, TellsFileAndLine) {
  Device device(any_way.settings());
  run_matmul(device, instrumented(), "matmul_store_unguarded");
  const std::string line = device.reports().all().at(0).line();
  EXPECT_NE(line.find("kernel matmul_store_unguarded, block ("), std::string::npos) << line;
  EXPECT_NE(line.find("matmul.cu:"), std::string::npos) << line;
}

TEST(Device, GivesTheSameOrderForTheSameSeed) {
  const auto reports_with = [](std::uint64_t seed) {
    Device device({.schedule = Schedule::random, .seed = seed});
    run_sum(device, instrumented(), "sum_not_atomic");
    const Report& report = device.reports().all().at(0);
    return std::make_tuple(report.block.x, report.thread.x, report.times);
  };
  EXPECT_EQ(reports_with(3), reports_with(3));
}

}  // namespace
}  // namespace gpusim
