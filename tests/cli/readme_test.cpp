// The README's commands, as a reader would type them one after the other.
#include "failures.h"

namespace tenon::test {
namespace {

/// "train mlp --data ..." of every indented line that begins with the program.
std::vector<std::string> commands() {
  std::vector<std::string> out;
  const std::string prompt = "    build/bin/tenon ";
  for (const std::string& line :
       lines_that_begin_with(read_file(fs::path(TENON_TEST_SOURCE_DIR) / "README.md"), prompt))
    out.push_back(line.substr(prompt.size()));
  return out;
}

TEST(Readme, HasCommandsThatAllWork) {
  const Workplace place;
  fs::create_directory_symlink(fs::path(TENON_TEST_SOURCE_DIR) / "examples", place / "examples");
  ASSERT_GE(commands().size(), 5u);
  for (const std::string& command : commands()) {
    const Outcome outcome = place.shell("\"$TENON\" " + command);
    EXPECT_EQ(outcome.status, 0) << command << "\n" << outcome.err;
    EXPECT_EQ(outcome.err.find("error:"), std::string::npos) << command << "\n" << outcome.err;
    EXPECT_NE(outcome.out, "") << command;
  }
}

}  // namespace
}  // namespace tenon::test
