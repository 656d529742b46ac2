#include "tenon/atomic_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstddef>
#include <iterator>

#include "temp_folder.h"

namespace tenon {
namespace {

namespace fs = std::filesystem;
using test::TempFolder;

result<void> replace(const fs::path& target, std::string_view text) {
  TENON_TRY(AtomicFile file, AtomicFile::create(target));
  TENON_CHECK(file.write(text));
  return file.commit();
}

mode_t mode_of(const fs::path& path) {
  struct stat status {};
  EXPECT_EQ(::stat(path.c_str(), &status), 0);
  return status.st_mode & mode_t{0777};
}

/// Files may grow to `bytes` only, as if the disk were full beyond.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limit{bytes, before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  FileSizeLimit(const FileSizeLimit&) = delete;
  FileSizeLimit& operator=(const FileSizeLimit&) = delete;
  ~FileSizeLimit() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }

 private:
  rlimit before_{};
  void (*handler_)(int);
};

class AtomicFileTest : public testing::Test {
 protected:
  std::string flaw(const fs::path& target) {
    const auto written = replace(target, "new");
    return written ? "no error" : written.error().text;
  }

  TempFolder folder_;
  const fs::path target_ = folder_ / "out";
};

TEST_F(AtomicFileTest, WritesANewFile) {
  ASSERT_TRUE(replace(target_, "new"));
  EXPECT_EQ(folder_.read("out"), "new");
  EXPECT_EQ(folder_.count_files(), 1U);
}

TEST_F(AtomicFileTest, WritesIntoTheCurrentFolder) {
  const fs::path before = fs::current_path();
  fs::current_path(folder_.path());
  const auto written = replace("bare", "new");
  fs::current_path(before);
  ASSERT_TRUE(written) << written.error().text;
  EXPECT_EQ(folder_.read("bare"), "new");
}

TEST_F(AtomicFileTest, LeavesTheOldFileUntilCommit) {
  folder_.write("out", "old");
  auto file = AtomicFile::create(target_);
  ASSERT_TRUE(file);
  ASSERT_TRUE(file->write("new"));
  EXPECT_EQ(folder_.read("out"), "old");
  ASSERT_TRUE(file->commit());
  EXPECT_EQ(folder_.read("out"), "new");
}

TEST_F(AtomicFileTest, RemovesWhatItWroteWithoutCommit) {
  folder_.write("out", "old");
  {
    auto file = AtomicFile::create(target_);
    ASSERT_TRUE(file);
    const AtomicFile moved = std::move(*file);
  }
  EXPECT_EQ(folder_.read("out"), "old");
  EXPECT_EQ(folder_.count_files(), 1U);
}

bool has_nameless_files(const fs::path& folder) {
  const int file = ::open(folder.c_str(), O_TMPFILE | O_WRONLY, 0600);
  if (file >= 0) ::close(file);
  return file >= 0;
}

TEST_F(AtomicFileTest, HasNoNameThatAKillWouldLeaveBehind) {
  if (!has_nameless_files(folder_.path())) GTEST_SKIP() << "the file system has no files without a name";
  auto file = AtomicFile::create(target_);
  ASSERT_TRUE(file);
  EXPECT_EQ(folder_.names(), std::vector<std::string>{});
  ASSERT_TRUE(file->write("new"));
  EXPECT_EQ(folder_.names(), std::vector<std::string>{});
  ASSERT_TRUE(file->commit());
  EXPECT_EQ(folder_.names(), std::vector<std::string>{"out"});
  EXPECT_EQ(folder_.read("out"), "new");
}

/// As on a file system that has no files without a name; for good, so in a child.
bool refuse_nameless_files() {
  const auto flags = static_cast<std::uint32_t>(offsetof(seccomp_data, args) + 2 * sizeof(std::uint64_t));
  sock_filter rules[] = {BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
                         BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_openat, 0, 3),
                         BPF_STMT(BPF_LD | BPF_W | BPF_ABS, flags),
                         BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, O_TMPFILE & ~O_DIRECTORY, 0, 1),
                         BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EOPNOTSUPP),
                         BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
  const sock_fprog program{std::size(rules), rules};
  return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

TEST_F(AtomicFileTest, IsHiddenWhereNoFileCanBeNameless) {
  ::chmod(folder_.write("out", "old").c_str(), 0606);
  const pid_t child = ::fork();
  if (child == 0) {
    if (!refuse_nameless_files()) ::_exit(77);
    auto file = AtomicFile::create(target_);
    const std::vector<std::string> names = folder_.names();
    const bool is_hidden = file && names.size() == 2 && names[1] == "out" &&
                           names[0].starts_with(".out." + std::to_string(::getpid()) + "-") &&
                           names[0].ends_with(".part");
    const bool is_put_in_place = is_hidden && file->write("new") && file->commit();
    ::_exit(!is_hidden ? 1 : is_put_in_place ? 0 : 2);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 77) GTEST_SKIP() << "the system lets no process filter its calls";
  EXPECT_EQ(status, 0);
  EXPECT_EQ(folder_.names(), std::vector<std::string>{"out"});
  EXPECT_EQ(folder_.read("out"), "new");
  EXPECT_EQ(mode_of(target_), mode_t{0606});
}

TEST_F(AtomicFileTest, GivesANewFileTheUsualPermissions) {
  const mode_t mask = ::umask(027);
  const auto written = replace(target_, "new");
  ::umask(mask);
  ASSERT_TRUE(written);
  EXPECT_EQ(mode_of(target_), mode_t{0640});
}

TEST_F(AtomicFileTest, KeepsThePermissionsOfAnExistingFile) {
  folder_.write("out", "old");
  ::chmod(target_.c_str(), 0606);
  ASSERT_TRUE(replace(target_, "new"));
  EXPECT_EQ(mode_of(target_), mode_t{0606});
}

TEST_F(AtomicFileTest, FollowsSymbolicLinksAndKeepsThem) {
  fs::create_directory(folder_ / "real");
  folder_.write("real/file", "old");
  fs::create_symlink("real/file", folder_ / "inner");
  fs::create_symlink("inner", target_);
  ASSERT_TRUE(replace(target_, "new"));
  EXPECT_TRUE(fs::is_symlink(target_));
  EXPECT_EQ(folder_.read("real/file"), "new");
}

TEST_F(AtomicFileTest, MakesTheFileThatADanglingLinkNames) {
  fs::create_symlink("later", target_);
  ASSERT_TRUE(replace(target_, "new"));
  EXPECT_TRUE(fs::is_symlink(target_));
  EXPECT_EQ(folder_.read("later"), "new");
}

TEST_F(AtomicFileTest, RefusesLinksInACircle) {
  fs::create_symlink("out", target_);
  EXPECT_EQ(flaw(target_), "[write] " + target_.string() + ": cannot be written: Too many levels of symbolic links");
}

TEST_F(AtomicFileTest, RefusesFoldersAndDevices) {
  EXPECT_EQ(flaw(folder_.path()), "[write] " + folder_.path().string() + ": found a folder, expected a file");
  EXPECT_EQ(flaw("/dev/null"), "[write] /dev/null: found a pipe or device, expected a file");
  EXPECT_EQ(flaw(""), "[write] : found no file name, expected one");
}

/// The links of /proc name no path where they lead to a pipe.
TEST_F(AtomicFileTest, RefusesAPipeBehindALinkOfTheSystem) {
  int pipe[2] = {-1, -1};
  ASSERT_EQ(::pipe(pipe), 0);
  const std::string name = "/proc/self/fd/" + std::to_string(pipe[1]);
  fs::create_symlink(name, target_);
  EXPECT_EQ(flaw(name), "[write] " + name + ": found a pipe or device, expected a file");
  EXPECT_EQ(flaw(target_), "[write] " + target_.string() + ": found a pipe or device, expected a file");
  for (const int end : pipe) ::close(end);
}

TEST_F(AtomicFileTest, TellsWhichFileItReplaces) {
  fs::create_directory(folder_ / "real");
  fs::create_symlink("real/later", folder_ / "dangling");
  fs::create_symlink("real", folder_ / "folder");
  const fs::path before = fs::current_path();
  fs::current_path(folder_.path());
  const std::string whole = (fs::canonical(folder_.path()) / "real/later").string();
  for (const fs::path name : {"real/later", "./real/later", "real/../real/./later", "real//later", "dangling",
                              "./dangling", "folder/later", "folder/../dangling"})
    EXPECT_EQ(written_path(name).value_or("").string(), whole) << name;
  EXPECT_EQ(written_path(folder_ / "dangling").value_or("").string(), whole);
  EXPECT_FALSE(written_path("absent/later"));
  fs::current_path(before);
}

TEST_F(AtomicFileTest, NamesTheReasonWhereTheFolderIsMissing) {
  EXPECT_EQ(flaw(folder_ / "absent/out"), "[write] " + (folder_ / "absent/out").string() +
                                              ": no file can be made in its folder: No such file or directory");
}

/// Permissions do not bind the superuser, who becomes nobody for a while.
class Nobody {
 public:
  Nobody() : was_superuser_(::geteuid() == 0) { become(65534); }
  Nobody(const Nobody&) = delete;
  Nobody& operator=(const Nobody&) = delete;
  ~Nobody() { become(0); }

 private:
  void become(uid_t user) const {
    if (!was_superuser_) return;
    EXPECT_EQ(::seteuid(user), 0);
  }
  bool was_superuser_;
};

TEST_F(AtomicFileTest, LeavesAFolderThatIsClosedToIt) {
  ::chmod(folder_.path().c_str(), 0555);
  std::string text;
  {
    const Nobody nobody;
    text = flaw(target_);
  }
  EXPECT_EQ(text, "[write] " + target_.string() + ": no file can be made in its folder: Permission denied");
  ::chmod(folder_.path().c_str(), 0755);
  EXPECT_EQ(folder_.count_files(), 0U);
}

TEST_F(AtomicFileTest, DoesNotReplaceAFileThatItMayNotWrite) {
  folder_.write("out", "old");
  ::chmod(folder_.path().c_str(), 0777);
  ::chmod(target_.c_str(), 0444);
  std::string text;
  {
    const Nobody nobody;
    text = flaw(target_);
  }
  EXPECT_EQ(text, "[write] " + target_.string() + ": cannot be written: Permission denied");
  EXPECT_EQ(folder_.read("out"), "old");
  EXPECT_EQ(folder_.count_files(), 1U);
}

TEST_F(AtomicFileTest, KeepsTheOldFileWhenTheDiskIsFull) {
  folder_.write("out", "old");
  const std::string large(5000, 'x');
  const FileSizeLimit limit(4096);
  const auto written = replace(target_, large);
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().reason, Reason::FILE_WRITE_FAILED);
  EXPECT_EQ(written.error().text, "[write] " + target_.string() + ": cannot be written: File too large");
  EXPECT_EQ(folder_.read("out"), "old");
  EXPECT_EQ(folder_.count_files(), 1U);
}

TEST_F(AtomicFileTest, CannotBeCommittedAfterAFailedWrite) {
  folder_.write("out", "old");
  const FileSizeLimit limit(4096);
  auto file = AtomicFile::create(target_);
  ASSERT_TRUE(file);
  EXPECT_FALSE(file->write(std::string(5000, 'x')));
  EXPECT_FALSE(file->commit());
  EXPECT_EQ(folder_.read("out"), "old");
  EXPECT_EQ(folder_.count_files(), 1U);
}

TEST_F(AtomicFileTest, CanBeWrittenUnderTheLongestName) {
  const std::string name(255, 'n');
  ASSERT_TRUE(replace(folder_ / name, "new"));
  EXPECT_EQ(folder_.read(name), "new");
}

TEST_F(AtomicFileTest, IsOldOrNewAfterAKill) {
  const std::string contents[] = {std::string(300000, 'a'), std::string(200000, 'b')};
  ASSERT_TRUE(replace(target_, contents[0]));
  for (unsigned round = 0; round < 20; ++round) {
    const pid_t child = ::fork();
    if (child == 0) {
      for (unsigned i = 0;; ++i) (void)replace(target_, contents[i % 2]);
    }
    ::usleep(500 + 377 * round);
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    const std::string found = folder_.read("out");
    ASSERT_TRUE(found == contents[0] || found == contents[1]) << "round " << round << ": " << found.size() << " bytes";
  }
}

}  // namespace
}  // namespace tenon
