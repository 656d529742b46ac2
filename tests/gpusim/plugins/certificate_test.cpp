// The certificate of the plugins on simulated devices; and every kernel's cases where the simulator looks at each
// access.
#include "simulated.h"

namespace tenon::test {
namespace {

class OnTheFakes : public Simulated {
 protected:
  void SetUp() override {
    if (TENON_TEST_SANITIZED) GTEST_SKIP() << "takes minutes with a sanitizer; the build without one does it";
  }
  Outcome check(const Words& more = {}) const {
    Words words{"check", manifest(kind)};
    words.insert(words.end(), more.begin(), more.end());
    return place.tenon(words);
  }
};

TEST_P(OnTheFakes, ThePluginIsCertified) {
  const Outcome outcome = check();
  EXPECT_EQ(outcome.status, 0) << outcome.out << outcome.err;
  EXPECT_TRUE(contains(outcome.out, "\ncertified: ")) << outcome.out;
}

TEST_P(OnTheFakes, EveryKernelAccessesWhatItMayInAnOrderThatIsItsOwn) {
  use_checked_kernels();
  for (const std::string& width : widths()) {
    place.set("TENON_GPUSIM_WARP", width);
    const Outcome outcome = check({"--only", "capsules/values"});
    EXPECT_EQ(outcome.status, 0) << outcome.out << outcome.err;
  }
}

INSTANTIATE_TEST_SUITE_P(With, OnTheFakes, every_kind, name_of_kind);

}  // namespace
}  // namespace tenon::test
