// The commands of docs/diagnose.md, each with the lines that the page shows below it.
#include <regex>

#include "failures.h"

namespace tenon::test {
namespace {

struct Shown {
  std::string command;
  int status = 0;
  std::vector<std::string> lines;
};

bool is_command(const std::string& line) { return line.starts_with("tenon ") || line.starts_with("TENON_"); }

Shown command_of(const std::string& line) {
  const std::string mark = "   # exit status ";
  const std::size_t at = line.find(mark);
  if (at == std::string::npos) return {line, 0, {}};
  return {line.substr(0, at), std::stoi(line.substr(at + mark.size())), {}};
}

/// Indented lines; what is no command belongs to the one before it.
std::vector<Shown> shown_commands() {
  std::vector<Shown> out;
  for (const std::string& line :
       lines_that_begin_with(read_file(fs::path(TENON_TEST_SOURCE_DIR) / "docs/diagnose.md"), "    ")) {
    const std::string text = line.substr(4);
    if (is_command(text))
      out.push_back(command_of(text));
    else
      out.back().lines.push_back(text);
  }
  return out;
}

std::regex pattern_of(const std::string& line) {
  const std::string escaped = std::regex_replace(line, std::regex(R"([.^$|()\[\]{}*+?\\])"), R"(\$&)");
  return std::regex("(^|\n)" + std::regex_replace(escaped, std::regex(R"(\\\.\\\.\\\.)"), "[^\n]*"));
}

TEST(Diagnose, ShowsWhatItsCommandsPrint) {
  Workplace place;
  place.install();
  fs::create_directory_symlink(fs::path(TENON_TEST_SOURCE_DIR) / "examples", place / "examples");
  ASSERT_GE(shown_commands().size(), 15u);
  for (const Shown& shown : shown_commands()) {
    SCOPED_TRACE(shown.command);
    const Outcome outcome = place.shell("PATH=\"$(dirname \"$TENON\"):$PATH\"\n" + shown.command);
    EXPECT_EQ(outcome.status, shown.status) << outcome.err;
    const std::string printed = outcome.out + "\n" + outcome.err;
    for (const std::string& line : shown.lines)
      EXPECT_TRUE(std::regex_search(printed, pattern_of(line))) << line << "\nis not in\n" << printed;
  }
}

}  // namespace
}  // namespace tenon::test
