#include "run_probe.h"

#include <gtest/gtest.h>

#include "temp_folder.h"

namespace tenon::host {
namespace {

using namespace std::chrono_literals;

/// A tenon-probe in the shell's words, which looks at a plugin that does not exist.
class RunProbe : public testing::Test {
 protected:
  result<ProbeReport> run(const std::string& script, std::chrono::milliseconds limit = 10s) {
    program = folder.write("tenon-probe", "#!/bin/sh\n" + script + "\n");
    std::filesystem::permissions(program, std::filesystem::perms{0755});
    return run_probe(program, candidate(), limit);
  }

  static Candidate candidate() {
    Candidate out{Origin::named, "/vendor.so", {}, {}};
    out.manifest.library = out.file;
    return out;
  }

  void expect_broken(const result<ProbeReport>& outcome, const std::string& words) {
    ASSERT_FALSE(outcome) << words;
    EXPECT_EQ(outcome.error().reason, Reason::PROBE_FAILED);
    EXPECT_TRUE(outcome.error().text.starts_with("[probe] " + program.string())) << outcome.error().text;
    EXPECT_NE(outcome.error().text.find(words), std::string::npos) << outcome.error().text;
    EXPECT_EQ(outcome.error().text.find("vendor"), std::string::npos) << outcome.error().text;
    EXPECT_EQ(outcome.error().hint, "install Tenon again");
  }

  const std::string greet = "printf '" + probe_greeting() + "' >&$1; ";
  test::TempFolder folder;
  std::filesystem::path program;
};

TEST_F(RunProbe, BlamesAHelperThatIsNotTheOneOfThisTenon) {
  expect_broken(run("exit 0"), "exit status 0");
  expect_broken(run("echo nonsense; echo nonsense >&$1"), "exit status 0");
  expect_broken(run("echo tenon-probe 9.9.9 >&$1"), "exit status 0");
  expect_broken(run("echo libtenon.so: no such file >&2; exit 127"),
                "exit status 127 (its last words: libtenon.so: no such file)");
  expect_broken(run("kill -SEGV $$"), "signal SIGSEGV");
}

TEST_F(RunProbe, BlamesAHelperThatCannotBeStarted) {
  program = folder.write("tenon-probe", "");
  expect_broken(run_probe(program, candidate(), 1s), "cannot be started: Permission denied");
  std::filesystem::permissions(program, std::filesystem::perms{0755});
  expect_broken(run_probe(program, candidate(), 1s), "cannot be started: Exec format error");
  std::filesystem::remove(program);
  expect_broken(run_probe(program, candidate(), 1s), "cannot be started: No such file");
}

TEST_F(RunProbe, BlamesThePluginForWhatFollowsTheGreeting) {
  for (const std::string script : {"exit 0", "echo nonsense >&$1", "kill -SEGV $$"}) {
    const auto report = run(greet + script);
    ASSERT_TRUE(report) << report.error().text;
    ASSERT_TRUE(report->error);
    EXPECT_EQ(report->error->reason, Reason::PROBE_CRASHED) << script;
    EXPECT_TRUE(report->error->text.starts_with("[plugin] /vendor.so: ")) << report->error->text;
  }
  const auto late = run(greet + "sleep 5", 300ms);
  ASSERT_TRUE(late && late->error);
  EXPECT_EQ(late->error->reason, Reason::PROBE_TIMED_OUT);
}

}  // namespace
}  // namespace tenon::host
