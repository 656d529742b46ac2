#include "locale_guard.h"

#include <gtest/gtest.h>

#include <clocale>
#include <thread>

namespace tenon::host {
namespace {

TEST(LocaleGuard, BlamesAndUndoesEachChangeWithTheOneWhoMadeIt) {
  constexpr int rounds = 300;
  const std::filesystem::path changes("/changes.so"), keeps("/keeps.so");
  ASSERT_STREQ(std::setlocale(LC_ALL, "C"), "C");
  testing::internal::CaptureStderr();
  std::thread other([&] {
    for (int i = 0; i < rounds; ++i) const LocaleGuard guard(keeps, "enumerate");
  });
  for (int i = 0; i < rounds; ++i) {
    const LocaleGuard guard(changes, "loading it");
    std::setlocale(LC_ALL, "C.UTF-8");
  }
  other.join();
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_STREQ(std::setlocale(LC_ALL, "C"), "C");
  EXPECT_NE(said.find("/changes.so"), std::string::npos) << said;
  EXPECT_EQ(said.find("/keeps.so"), std::string::npos) << said;
}

TEST(LocaleGuard, StandsWithinAnotherOfTheSameThread) {
  const std::filesystem::path library("/nested.so");
  testing::internal::CaptureStderr();
  {
    const LocaleGuard outer(library, "loading it");
    const LocaleGuard inner(library, "enumerate");
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

}  // namespace
}  // namespace tenon::host
