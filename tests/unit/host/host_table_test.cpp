#include "host_table.h"

#include <gtest/gtest.h>

#include <cstring>
#include <thread>

#include "abi_range.h"
#include "tenon/loaded_plugin.h"

namespace tenon::host {
namespace {

const tenon_host& host() { return *static_cast<const tenon_host*>(host_table(abi_max)); }

TEST(HostTable, IsGivenForAcceptedVersionsOnly) {
  EXPECT_EQ(host().size, sizeof(tenon_host));
  EXPECT_EQ(host_table(abi_max + 1), nullptr);
  EXPECT_EQ(host_table(0), nullptr);
}

TEST(HostTable, IsThatOfTheVersionAskedFor) {
  for (const std::uint32_t abi : {abi_min, abi_max}) {
    const auto* table = static_cast<const tenon_host*>(host_table(abi));
    ASSERT_NE(table, nullptr);
    EXPECT_EQ(table->abi, abi);
    EXPECT_EQ(table->size, tenon_abi_host_bytes(abi));
  }
}

TEST(HostTable, KeepsAnErrorPerThreadUntilItIsTaken) {
  host().set_error(TENON_ERROR, "mine");
  std::thread([] {
    EXPECT_EQ(take_plugin_error(), "");
    host().set_error(TENON_ERROR, "another thread's");
  }).join();
  EXPECT_EQ(take_plugin_error(), "mine");
  EXPECT_EQ(take_plugin_error(), "");
  host().set_error(TENON_ERROR, nullptr);
  EXPECT_EQ(take_plugin_error(), "");
}

TEST(HostTable, CutsOffAnErrorWithoutEnd) {
  host().set_error(TENON_ERROR, std::string(100'000, 'x').c_str());
  EXPECT_EQ(take_plugin_error(), std::string(2048, 'x'));
}

TEST(HostTable, TurnsAStatusIntoAReason) {
  host().set_error(TENON_ERROR_DEVICE_LOST, "it fell off the bus");
  const Error lost = plugin_error(TENON_ERROR_DEVICE_LOST, "acme:0: synchronize");
  EXPECT_EQ(lost.reason, Reason::DEVICE_LOST);
  EXPECT_EQ(lost.text, "[acme:0: synchronize] it fell off the bus");
  EXPECT_EQ(plugin_error(TENON_UNIMPLEMENTED, "x").text, "[x] not implemented by this plugin");
  EXPECT_EQ(plugin_error(-77, "x").reason, Reason::KERNEL_FAILED);
}

TEST(HostTable, AllocatesAlignedMemoryOrNothing) {
  for (const std::uint64_t alignment : {1u, 16u, 64u, 4096u})
    for (const std::uint64_t bytes : {0u, 1u, 100u, 4097u}) {
      void* memory = host().alloc(bytes, alignment);
      ASSERT_NE(memory, nullptr);
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(memory) % alignment, 0u);
      std::memset(memory, 0, bytes);
      host().free(memory);
    }
  EXPECT_EQ(host().alloc(UINT64_MAX - 5, 64), nullptr);
  EXPECT_EQ(host().alloc(64, 48), nullptr);
  EXPECT_EQ(host().alloc(64, 0), nullptr);
}

TEST(HostTable, HasNoExtensions) { EXPECT_EQ(host().extension("anything", 1), nullptr); }

}  // namespace
}  // namespace tenon::host
