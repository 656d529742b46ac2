#include "tenon/guarded.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "host_table.h"
#include "tenon/loaded_plugin.h"

namespace tenon {
namespace {

TEST(Guarded, GivesBackWhatTheCallReturns) {
  EXPECT_EQ(*guarded("a.so", "open", [] { return 7; }), 7);
  EXPECT_TRUE(guarded("a.so", "shutdown", [] {}));
}

TEST(Guarded, MakesAnErrorOfAnException) {
  const auto known = guarded("a.so", "open", []() -> int { throw std::runtime_error("no door"); });
  ASSERT_FALSE(known);
  EXPECT_EQ(known.error().reason, Reason::EXCEPTION_ESCAPED);
  EXPECT_EQ(known.error().text, "[plugin] a.so: an exception escaped from open: no door");
  const auto unknown = guarded("a.so", "shutdown", [] { throw 1; });
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().text,
            "[plugin] a.so: an exception escaped from shutdown: of a type that the host does not know");
}

TEST(Guarded, MakesAWarningOfAnExceptionAtAnEnd) {
  testing::internal::CaptureStderr();
  guarded_end("a.so", "close", [] {});
  guarded_end("a.so", "close", [] { throw std::runtime_error("no end"); });
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "warning: [plugin] a.so: an exception escaped from close: no end\n");
}

std::int32_t answer_in_words(std::int32_t status) {
  static_cast<const tenon_host*>(host::host_table(TENON_ABI))->set_error(status, "words");
  return status;
}

TEST(Guarded, DropsTheWordsOfAnEndThatFails) {
  for (const std::int32_t status : {std::int32_t{TENON_ERROR_DEVICE_LOST}, std::int32_t{TENON_UNIMPLEMENTED}}) {
    guarded_end("a.so", "close", [&] { return answer_in_words(status); });
    EXPECT_EQ(take_plugin_error(), "");
  }
  answer_in_words(TENON_ERROR_DEVICE_LOST);  // of a call before it
  guarded_end("a.so", "close", [] { return std::int32_t{TENON_OK}; });
  EXPECT_EQ(take_plugin_error(), "words");
}

}  // namespace
}  // namespace tenon
