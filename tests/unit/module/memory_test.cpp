// Host memory that runs out, wherever it does, is a result and no exception.
#include <gtest/gtest.h>

#include <sstream>

#include "environment.h"
#include "support/failing_allocator.h"
#include "tenon/exec_config.h"
#include "tenon/runtime.h"

namespace tenon {
namespace {

using test::allocations_left;

/// Calls f with the first, the second, ... allocation failing, until none is left to fail. Answers how many failed.
template <class F>
long exhaust(F f) {
  const auto usual = f();
  for (long n = 0;; ++n) {
    allocations_left = n;
    const auto answer = f();
    const bool failed = allocations_left < 0;
    allocations_left = -1;
    if (!failed) {
      EXPECT_EQ(answer.has_value(), usual.has_value());
      return n;
    }
    if (!answer) {
      EXPECT_EQ(answer.error().reason, Reason::OUT_OF_MEMORY) << n << ": " << answer.error().text;
    }
  }
}

class HostMemory : public testing::Test {
  test::Environment environment_;
};

TEST_F(HostMemory, ThatRunsOutInFlagsIsAResult) {
  const test::Args args{"--device", "cpu", "--dtype", "float32:fast", "--provider", "only:a-provider-with-a-long-name",
                        "more"};
  EXPECT_GT(exhaust([&] { return ExecConfig::parse_and_strip(args); }), 0);
  EXPECT_GT(exhaust([&] { return ExecConfig::parse_and_strip_with_default_dtype(args, {}); }), 0);
  EXPECT_GT(exhaust([] { return ExecConfig::parse_backend("something unknown"); }), 0);
  const Catalogue catalogue;
  EXPECT_GT(exhaust([&] { return ExecConfig::parse_device("something unknown", catalogue); }), 0);
}

// What the libraries below cannot bear (std::filesystem, the JSON parser) is left out: it begins with the scan.
TEST_F(HostMemory, ThatRunsOutWhileARuntimeOpensIsAResult) {
  ExecConfig config;
  config.dtype = ScalarType{ScalarType::Kind::real};
  std::ostringstream diagnostics;
  EXPECT_GT(exhaust([&] { return open_runtime(config, diagnostics); }), 0);
  config.device = "something unknown";
  EXPECT_GT(exhaust([&] { return requested_device(config, Catalogue()); }), 0);
}

}  // namespace
}  // namespace tenon
