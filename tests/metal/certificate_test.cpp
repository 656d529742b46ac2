// The certificate of the plugin; and every kernel's cases where the simulator looks at each access.
#include "metal.h"

namespace tenon::test {
namespace {

class Certificate : public OnFakeMetal {
 protected:
  void expect_certified(const Words& more = {}) const {
    const Outcome outcome = place.tenon(Words{"check", manifest()} + more);
    EXPECT_EQ(outcome.status, 0) << outcome.out << outcome.err;
  }
};

TEST_F(Certificate, IsGivenWithUnifiedMemory) { expect_certified(); }

TEST_F(Certificate, IsGivenWithPrivateMemoryAndKernelsOfTheirSources) {
  place.set("TENON_GPUSIM_UNIFIED", "0");
  place.set("TENON_GPUSIM_METALLIB", "0");
  expect_certified();
}

TEST_F(Certificate, IsGivenInRandomOrder) {
  if (!is_whole()) GTEST_SKIP() << "by night";
  place.set("TENON_GPUSIM_LATENESS", "random");
  for (const char* seed : {"1", "2", "3"}) {
    place.set("TENON_GPUSIM_SEED", seed);
    expect_certified();
  }
}

// In private memory, where also what nobody wrote is known.
TEST_F(Certificate, EveryKernelAccessesWhatItMayInAnOrderThatIsItsOwn) {
  use_checked_kernels();
  place.set("TENON_GPUSIM_UNIFIED", "0");
  for (const char* width : is_whole() ? std::vector{"32", "64"} : std::vector{"32"}) {
    place.set("TENON_GPUSIM_WARP", width);
    expect_certified({"--only", is_whole() ? "capsules/values" : "capsules/values:*max*"});
  }
}

}  // namespace
}  // namespace tenon::test
