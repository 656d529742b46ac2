// run_tenon.h: the program run as a process in a folder of its own; what it wrote and how it ended.
//
// The folder and all that is in it go away with the Workplace.
#pragma once
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

extern char** environ;

namespace tenon::test {

namespace fs = std::filesystem;

struct Outcome {
  int status = -1;  // of the exit; 128 + signal if it was killed
  std::string out, err;
};

inline std::string read_file(const fs::path& file) {
  std::ostringstream out;
  out << std::ifstream(file, std::ios::binary).rdbuf();  // in the library's own speed: libraries are long
  return std::move(out).str();
}

class Workplace {
 public:
  Workplace() {
    std::string pattern = (fs::temp_directory_path() / "tenon cli XXXXXX").string();
    folder_ = ::mkdtemp(pattern.data());
  }
  ~Workplace() { fs::remove_all(folder_); }
  Workplace(const Workplace&) = delete;
  Workplace& operator=(const Workplace&) = delete;

  fs::path operator/(const fs::path& name) const { return folder_ / name; }

  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name, std::ios::binary) << text;
    return (folder_ / name).string();
  }

  /// Every file here with its bytes: to see that nothing changed.
  std::map<std::string, std::string> contents() const {
    std::map<std::string, std::string> out;
    for (const auto& entry : fs::recursive_directory_iterator(folder_))
      if (entry.is_regular_file() && !is_own(entry.path())) out[entry.path().string()] = read_file(entry.path());
    return out;
  }

  void set(const std::string& name, const std::string& value) { environment_[name] = value; }

  /// The program that the calls below run.
  const std::string& program() const { return program_; }

  /// Copies the program, its library and the CPU's plugin into this folder and runs that copy from now on: whatever
  /// else was built or is installed for the user is not seen. Answers the copy's folder.
  fs::path install() {
    const fs::path build = TENON_TEST_BUILD_DIR, copy = folder_ / ".installed";
    for (const char* file : {"bin/tenon", "bin/tenon-probe", "lib/libtenon.so", "lib/tenon-plugins/cpu.tenon.json",
                             "lib/tenon-plugins/tenon_cpu.so"}) {
      fs::create_directories((copy / file).parent_path());
      fs::copy_file(build / file, copy / file);
    }
    program_ = copy / "bin/tenon";
    set("HOME", "/home/ada");
    set("XDG_DATA_HOME", "/home/ada/.local/share");
    return copy;
  }

  /// Standard output goes to `out` if one is given.
  Outcome tenon(std::vector<std::string> args, const std::string& out = {}) const {
    args.insert(args.begin(), program_);
    return run(std::move(args), out);
  }

  /// A script for sh in this folder; $TENON is the program.
  Outcome shell(const std::string& script) const {
    return run({"/bin/sh", "-c", "TENON='" + program_ + "'\ncd '" + folder_.string() + "'\n" + script}, {});
  }

 private:
  /// What the test itself puts here, and the program's cache of probes.
  bool is_own(const fs::path& file) const {
    const std::string first = file.lexically_relative(folder_).begin()->string();
    return first == ".out" || first == ".err" || first == ".cache" || first == ".installed";
  }

  Outcome run(std::vector<std::string> args, const std::string& out) const {
    const std::string out_file = out.empty() ? (folder_ / ".out").string() : out, err_file = folder_ / ".err";
    const int status = spawn(std::move(args), out_file, err_file);
    return {status, out.empty() ? read_file(out_file) : std::string(), read_file(err_file)};
  }

  /// The environment without Tenon's variables, and with a probe cache of its own.
  std::vector<std::string> environment() const {
    std::vector<std::string> out{"XDG_CACHE_HOME=" + (folder_ / ".cache").string()};
    for (char** variable = environ; *variable != nullptr; ++variable) {
      const std::string_view text = *variable, name = text.substr(0, text.find('='));
      if (!name.starts_with("TENON_") && name != "XDG_CACHE_HOME" && !environment_.contains(std::string(name)))
        out.emplace_back(text);
    }
    for (const auto& [name, value] : environment_) out.push_back(name + "=" + value);
    return out;
  }

  static std::vector<char*> pointers(std::vector<std::string>& words) {
    std::vector<char*> out;
    for (std::string& word : words) out.push_back(word.data());
    out.push_back(nullptr);
    return out;
  }

  int spawn(std::vector<std::string> args, const std::string& out, const std::string& err) const {
    std::vector<std::string> variables = environment();
    posix_spawn_file_actions_t actions;
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    ::posix_spawn_file_actions_addopen(&actions, 1, out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    ::posix_spawn_file_actions_addopen(&actions, 2, err.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    pid_t child = 0;
    const int failed =
        ::posix_spawn(&child, args[0].c_str(), &actions, nullptr, pointers(args).data(), pointers(variables).data());
    ::posix_spawn_file_actions_destroy(&actions);
    if (failed != 0) return -1;
    int status = 0;
    ::waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }

  fs::path folder_;
  std::string program_ = TENON_TEST_BUILD_DIR "/bin/tenon";
  std::map<std::string, std::string> environment_;
};

inline std::size_t count(const std::string& text, const std::string& part) {
  std::size_t n = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size())) ++n;
  return n;
}

inline std::vector<std::string> lines(const std::string& text) {
  std::vector<std::string> out;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    out.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return out;
}

inline std::vector<std::string> lines_that_begin_with(const std::string& text, const std::string& word) {
  std::vector<std::string> out;
  for (std::string& line : lines(text))
    if (line.starts_with(word)) out.push_back(std::move(line));
  return out;
}

}  // namespace tenon::test
