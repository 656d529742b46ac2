#include "helper_process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>
#include <vector>

namespace tenon::host {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int answer_descriptor = 3;                                    // in the helper
constexpr int first_own = 10;                                           // ours lie above those that the helper uses
constexpr std::size_t most_answered = 1 << 24, most_printed = 1 << 20;  // bytes kept

class Descriptor {
 public:
  explicit Descriptor(int value = -1) : value_(value) {}
  ~Descriptor() { reset(); }
  Descriptor(Descriptor&& other) noexcept : value_(std::exchange(other.value_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(value_, other.value_);
    return *this;
  }
  int get() const { return value_; }
  void reset() {
    if (value_ >= 0) ::close(std::exchange(value_, -1));
  }

 private:
  int value_;
};

Descriptor moved_up(int descriptor) {
  const Descriptor low(descriptor);
  return Descriptor(::fcntl(descriptor, F_DUPFD_CLOEXEC, first_own));
}

struct Pipe {
  Descriptor reader, writer;

  bool open() {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) return false;
    reader = moved_up(ends[0]);
    writer = moved_up(ends[1]);
    return reader.get() >= 0 && writer.get() >= 0 && ::fcntl(reader.get(), F_SETFL, O_NONBLOCK) == 0;
  }

  /// Takes what is there and keeps the first `most` bytes; closes at the end.
  void drain(std::string& into, std::size_t most) {
    std::array<char, 4096> bytes{};
    while (reader.get() >= 0) {
      const ssize_t got = ::read(reader.get(), bytes.data(), bytes.size());
      if (got > 0)
        into.append(bytes.data(), std::min(static_cast<std::size_t>(got), most - std::min(most, into.size())));
      else if (got == 0)
        reader.reset();
      else if (errno != EINTR)
        return;
    }
  }
};

class FileActions {
 public:
  FileActions() { posix_spawn_file_actions_init(&actions_); }
  ~FileActions() { posix_spawn_file_actions_destroy(&actions_); }
  FileActions(const FileActions&) = delete;
  void nothing_to_read() { posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, "/dev/null", O_RDONLY, 0); }
  void put(const Pipe& pipe, int at) { posix_spawn_file_actions_adddup2(&actions_, pipe.writer.get(), at); }
  const posix_spawn_file_actions_t* get() const { return &actions_; }

 private:
  posix_spawn_file_actions_t actions_;
};

/// The process leads a group of its own, so that what it started ends with it.
class Attributes {
 public:
  Attributes() {
    posix_spawnattr_init(&attributes_);
    posix_spawnattr_setpgroup(&attributes_, 0);
    posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETPGROUP);
  }
  ~Attributes() { posix_spawnattr_destroy(&attributes_); }
  Attributes(const Attributes&) = delete;
  const posix_spawnattr_t* get() const { return &attributes_; }

 private:
  posix_spawnattr_t attributes_;
};

class Helper {
 public:
  int start(const std::filesystem::path& program, std::span<const std::string> arguments) {
    if (!answer_.open() || !printed_.open() || !errors_.open()) return errno;
    FileActions actions;
    actions.nothing_to_read();
    actions.put(printed_, STDOUT_FILENO);
    actions.put(errors_, STDERR_FILENO);
    actions.put(answer_, answer_descriptor);
    std::vector<std::string> texts{program.string(), std::to_string(answer_descriptor)};
    texts.insert(texts.end(), arguments.begin(), arguments.end());
    std::vector<char*> words;
    for (std::string& text : texts) words.push_back(text.data());
    words.push_back(nullptr);
    const Attributes attributes;
    const int failed = posix_spawn(&process_, program.c_str(), actions.get(), attributes.get(), words.data(), environ);
    for (Pipe* pipe : {&answer_, &printed_, &errors_}) pipe->writer.reset();
    if (failed == 0) ended_ = Descriptor(static_cast<int>(::syscall(SYS_pidfd_open, process_, 0)));
    return failed;
  }

  HelperOutcome wait(Clock::time_point start, std::chrono::milliseconds limit, Limit kind) {
    HelperOutcome outcome;
    Clock::time_point deadline = start + limit;
    while (!has_ended(outcome.status)) {
      if (Clock::now() >= deadline && !std::exchange(outcome.timed_out, true)) end_group();
      wait_for_news(deadline);
      const std::size_t before = outcome.answer.size();
      drain(outcome);
      if (kind == Limit::of_silence && outcome.answer.size() != before) deadline = Clock::now() + limit;
    }
    drain(outcome);
    return outcome;
  }

 private:
  void drain(HelperOutcome& outcome) {
    answer_.drain(outcome.answer, most_answered);
    printed_.drain(outcome.printed, most_printed);
    errors_.drain(outcome.errors, most_printed);
  }

  void end_group() const { ::kill(-process_, SIGKILL); }

  /// What it started is ended before its number may be given to another. A program that ignores SIGCHLD leaves no
  /// status to be had: then the answer alone tells.
  bool has_ended(int& status) const {
    siginfo_t news{};
    if (::waitid(P_PID, static_cast<id_t>(process_), &news, WEXITED | WNOHANG | WNOWAIT) == 0 && news.si_pid == 0)
      return false;
    end_group();
    const pid_t ended = ::waitpid(process_, &status, WNOHANG);
    return ended == process_ || (ended < 0 && errno == ECHILD);
  }

  void wait_for_news(Clock::time_point deadline) const {
    std::array<pollfd, 4> watched{pollfd{ended_.get(), POLLIN, 0}, pollfd{answer_.reader.get(), POLLIN, 0},
                                  pollfd{printed_.reader.get(), POLLIN, 0}, pollfd{errors_.reader.get(), POLLIN, 0}};
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()).count();
    const long most_ms = ended_.get() >= 0 ? 1000 : 20;  // an old kernel does not tell when a process ends
    ::poll(watched.data(), watched.size(), static_cast<int>(std::clamp<long>(left, left <= 0 ? 20 : 1, most_ms)));
  }

  Pipe answer_, printed_, errors_;
  Descriptor ended_;
  pid_t process_ = 0;
};

std::string status_text(int status) {
  if (!WIFSIGNALED(status)) return "exit status " + std::to_string(WEXITSTATUS(status));
  const char* abbreviation = ::sigabbrev_np(WTERMSIG(status));
  return "signal " + (abbreviation != nullptr ? "SIG" + std::string(abbreviation) : std::to_string(WTERMSIG(status)));
}

tl::unexpected<Error> not_started(const std::filesystem::path& program, int error) {
  const bool is_scarcity = error == EAGAIN || error == ENOMEM || error == EMFILE || error == ENFILE;
  return fail(Reason::PROBE_FAILED,
              "[probe] " + program.string() + " cannot be started: " + std::generic_category().message(error),
              is_scarcity ? "" : "install Tenon again");
}

}  // namespace

std::string how_it_ended(const HelperOutcome& outcome) {
  const std::string words = outcome.errors.substr(0, std::min<std::size_t>(outcome.errors.find('\n'), 200));
  return status_text(outcome.status) + (words.empty() ? "" : " (its last words: " + words + ")");
}

tl::unexpected<Error> broken_helper(std::string_view where, const std::filesystem::path& program,
                                    const HelperOutcome& outcome) {
  return fail(Reason::PROBE_FAILED,
              "[" + std::string(where) + "] " + program.string() +
                  ": it did not answer as this Tenon's own helper program does: " + how_it_ended(outcome),
              "install Tenon again");
}

result<HelperOutcome> run_helper(const std::filesystem::path& program, std::span<const std::string> arguments,
                                 std::chrono::milliseconds limit, Limit kind) {
  const Clock::time_point start = Clock::now();
  Helper helper;
  if (const int failed = helper.start(program, arguments); failed != 0) return not_started(program, failed);
  return helper.wait(start, limit, kind);
}

}  // namespace tenon::host
