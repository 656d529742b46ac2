// Host memory that runs out at any one allocation is a result of the host layer's public functions.
#include <gtest/gtest.h>

#include "support/failing_allocator.h"
#include "tenon/device.h"
#include "tenon/probe.h"
#include "unit/host/temp_folder.h"

namespace tenon {
namespace {

using test::allocations_left;

const std::filesystem::path built_plugins = TENON_TEST_BUILD_DIR "/test-plugins";

/// nlohmann-json allocates in its destructors, which ends the process: the first allocations come before it.
constexpr long before_json = 8;

/// Calls f with its first allocation failing, then with its second, ... until none fails, or `most` times.
template <class F>
void with_each_allocation_failing(F f, long most = 100'000) {
  int refused = 0;
  for (long n = 0; n < most; ++n) {
    allocations_left = n;
    const auto outcome = f();
    const bool all_were_served = allocations_left >= 0;
    allocations_left = -1;
    if (!outcome) {
      ++refused;
      ASSERT_EQ(outcome.error().reason, Reason::OUT_OF_MEMORY) << n << ": " << outcome.error().text;
    }
    if (all_were_served) {
      EXPECT_TRUE(outcome);
      EXPECT_GT(refused, 0);
      return;
    }
  }
  EXPECT_GT(refused, 0);
}

class MemoryExhaustion : public testing::Test {
 protected:
  test::TempFolder root;
  test::Variable cache{"XDG_CACHE_HOME", root.path().string()};

  static SearchOptions naming(const std::string& name) {
    return {.named = {built_plugins / name / (name + ".tenon.json")}};
  }

  static Candidate candidate(const std::string& name) {
    const auto catalogue = Catalogue::scan(naming(name));
    EXPECT_TRUE(catalogue) << catalogue.error().text;
    return catalogue->candidates().front();
  }
};

TEST_F(MemoryExhaustion, IsAResultOfASearch) {
  const SearchOptions options = naming("late_errors");
  with_each_allocation_failing([&] { return Catalogue::scan(options); }, before_json);
}

TEST_F(MemoryExhaustion, IsAResultOfAProbe) {
  const Candidate asked = candidate("late_errors");
  ASSERT_TRUE(probe(asked, false));
  with_each_allocation_failing([&] { return probe(asked, false); }, before_json);
}

TEST_F(MemoryExhaustion, IsAResultOfLoading) {
  const Candidate asked = candidate("no_hardware");  // loaded by no other test
  ASSERT_TRUE(probe(asked, false));
  with_each_allocation_failing([&] { return LoadedPlugin::load(asked, {}); }, before_json);
}

TEST_F(MemoryExhaustion, IsAResultOfUsingADevice) {
  const auto plugin = *LoadedPlugin::load(candidate("late_errors"), {});
  const std::string kind = "late_errors";
  with_each_allocation_failing([&] { return enumerate_devices(*plugin); });
  with_each_allocation_failing([&] { return Device::open(plugin, kind, 0); });
}

TEST_F(MemoryExhaustion, IsAResultOfAllocating) {
  const auto plugin = *LoadedPlugin::load(candidate("small_pool"), {});
  const auto device = *Device::open(plugin, "small_pool", 0);
  for (long n = 0; n < 10; ++n) {  // the message is what takes memory
    allocations_left = n;
    const auto none = Buffer::allocate(device, 2048);
    allocations_left = -1;
    ASSERT_FALSE(none);
    EXPECT_EQ(none.error().reason, Reason::OUT_OF_MEMORY);
  }
}

}  // namespace
}  // namespace tenon
