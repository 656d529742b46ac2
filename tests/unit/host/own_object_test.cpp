#include "own_object.h"

#include <gtest/gtest.h>

#include "temp_folder.h"

namespace tenon::host {
namespace {

namespace fs = std::filesystem;

TEST(RequireHelper, FindsTheProgramOfTheSameInstallation) {
  const tenon::test::TempFolder folder;
  fs::create_directories(folder.path() / "lib");
  fs::create_directories(folder.path() / "libexec/tenon");
  const fs::path program = folder.write("libexec/tenon/tenon-probe", "");
  fs::permissions(program, fs::perms::owner_all);
  const auto found = require_helper("probe", "tenon-probe", folder.path() / "lib/libtenon.so");
  ASSERT_TRUE(found) << to_string(found.error());
  EXPECT_EQ(*found, program);
}

TEST(RequireHelper, SaysWhereAMissingOneWasLookedFor) {
  const auto found = require_helper("check", "tenon-certify", "/nowhere/lib/libtenon.so");
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().reason, Reason::PROBE_FAILED);
  EXPECT_EQ(found.error().text,
            "[check] the program tenon-certify does not lie where /nowhere/lib/libtenon.so expects it: in ../bin, in "
            "../libexec/tenon or beside it");
  EXPECT_EQ(found.error().hint, "install Tenon again");
}

}  // namespace
}  // namespace tenon::host
