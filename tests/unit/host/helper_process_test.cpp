#include "helper_process.h"

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <fstream>
#include <thread>

#include "temp_folder.h"

namespace tenon::host {
namespace {

using namespace std::chrono_literals;

/// A helper in the shell's words: $1 is the descriptor, $2 the argument.
class HelperProcess : public testing::Test {
 protected:
  HelperOutcome run(const std::string& script, std::chrono::milliseconds limit = 10s) {
    const auto program = folder.write("helper", "#!/bin/sh\n" + script + "\n");
    std::filesystem::permissions(program, std::filesystem::perms{0755});
    const std::string argument = "an argument";
    auto outcome = run_helper(program, {&argument, 1}, limit);
    EXPECT_TRUE(outcome) << outcome.error().text;
    return *std::move(outcome);
  }

  test::TempFolder folder;
};

TEST_F(HelperProcess, KeepsThreeStreamsApart) {
  const HelperOutcome outcome = run("echo printed; echo \"$2\" >&$1; echo wrong >&2; exit 3");
  EXPECT_EQ(outcome.printed, "printed\n");
  EXPECT_EQ(outcome.answer, "an argument\n");
  EXPECT_EQ(outcome.errors, "wrong\n");
  EXPECT_EQ(WEXITSTATUS(outcome.status), 3);
  EXPECT_FALSE(outcome.timed_out);
}

TEST_F(HelperProcess, HasNothingToRead) { EXPECT_EQ(run("cat").printed, ""); }

TEST_F(HelperProcess, TakesMoreThanAPipeHoldsAndKeepsAMegabyte) {
  const HelperOutcome outcome = run("head -c 3000000 /dev/zero; head -c 200000 /dev/zero >&$1");
  EXPECT_EQ(outcome.printed.size(), 1u << 20);
  EXPECT_EQ(outcome.answer.size(), 200000u);
}

TEST_F(HelperProcess, EndsWhatDoesNotEnd) {
  const HelperOutcome outcome = run("echo begun; kill -STOP $$", 200ms);
  EXPECT_TRUE(outcome.timed_out);
  EXPECT_EQ(WTERMSIG(outcome.status), SIGKILL);
  EXPECT_EQ(outcome.printed, "begun\n");
}

TEST_F(HelperProcess, DoesNotWaitForAGrandchild) {
  const HelperOutcome outcome = run("sleep 3 & echo done >&$1");
  EXPECT_EQ(outcome.answer, "done\n");
  EXPECT_FALSE(outcome.timed_out);
}

/// Ended, though perhaps not yet waited for by whoever inherited it; given some time for it.
bool has_ended(const std::string& process) {
  for (int tries = 0; tries < 100; ++tries) {
    std::ifstream status("/proc/" + process + "/stat");
    std::string number, name, state;
    if (!(status >> number >> name >> state) || state == "Z") return true;
    std::this_thread::sleep_for(20ms);
  }
  return false;
}

TEST_F(HelperProcess, EndsItsChildrenToo) {
  const auto first_line = [](const std::string& text) { return text.substr(0, text.find('\n')); };
  const HelperOutcome late = run("sleep 5 & echo $! >&$1; wait", 300ms);
  EXPECT_TRUE(late.timed_out);
  EXPECT_TRUE(has_ended(first_line(late.answer))) << late.answer;
  const HelperOutcome early = run("sleep 5 & echo $! >&$1");
  EXPECT_FALSE(early.timed_out);
  EXPECT_TRUE(has_ended(first_line(early.answer))) << early.answer;
}

TEST_F(HelperProcess, SaysWhyItCannotStart) {
  const auto outcome = run_helper(folder / "none", {}, 1s);
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().reason, Reason::PROBE_FAILED);
  EXPECT_NE(outcome.error().text.find("No such file"), std::string::npos);
  EXPECT_EQ(outcome.error().hint, "install Tenon again");
  const auto text = run_helper(folder.write("text", "no program"), {}, 1s);  // nor may it be executed
  ASSERT_FALSE(text);
  EXPECT_NE(text.error().text.find((folder / "text").string() + " cannot be started: Permission denied"),
            std::string::npos)
      << text.error().text;
  EXPECT_EQ(text.error().hint, "install Tenon again");
}

}  // namespace
}  // namespace tenon::host
