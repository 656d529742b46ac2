// The log of the base layer, in processes of its own: its level is read once.
#include "tenon/log.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "host/temp_folder.h"

namespace tenon::logging {
namespace {

class Log : public testing::Test {
 protected:
  Log() { testing::FLAGS_gtest_death_test_style = "threadsafe"; }

  [[noreturn]] static void speak() {
    write(Level::warn, "test", "a warning");
    write(Level::info, "test", "a remark");
    write(Level::error, "test", "an error");
    std::exit(0);
  }
};

TEST_F(Log, ShowsWarningsIfNothingIsSaid) {
  const test::Variable level("TENON_LOG", "");
  EXPECT_EXIT(speak(), testing::ExitedWithCode(0), "^warning: .test. a warning\nerror: .test. an error\n$");
}

TEST_F(Log, TakesALevel) {
  const test::Variable level("TENON_LOG", "info");
  EXPECT_EXIT(speak(), testing::ExitedWithCode(0), "a warning\ninfo: .test. a remark\n");
}

TEST_F(Log, IsSilentIfAsked) {
  const test::Variable level("TENON_LOG", "off");
  EXPECT_EXIT(speak(), testing::ExitedWithCode(0), "^$");
}

TEST_F(Log, SaysOnceThatALevelIsUnknownAndKeepsWarnings) {
  const test::Variable level("TENON_LOG", "inof");
  EXPECT_EXIT(speak(), testing::ExitedWithCode(0),
              "^warning: .log. TENON_LOG is 'inof', expected trace, debug, info, warn, error or off: warn is taken\n"
              "warning: .test. a warning\nerror: .test. an error\n$");
}

}  // namespace
}  // namespace tenon::logging
