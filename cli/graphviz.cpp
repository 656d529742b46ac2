#include "graphviz.h"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include "tenon/text.h"

extern char** environ;

namespace tenon::cli {
namespace {

/// Nameless, so that nothing is left behind whatever happens. Files, unlike pipes, need nobody who reads in time.
using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;
File temporary_file() { return {std::tmpfile(), std::fclose}; }

tl::unexpected<Error> cannot_run(const std::string& why) {
  return fail(Reason::FILE_NOT_FOUND, "[graph] --svg: Graphviz's program dot cannot be run: " + why,
              "install the package graphviz, or use --dot FILE and draw the graph elsewhere");
}

tl::unexpected<Error> failed(const std::string& how) {
  return fail(Reason::INVALID_ARGUMENT, "[graph] --svg: Graphviz's program dot failed: " + how,
              "use --dot FILE and draw the graph elsewhere");
}

tl::unexpected<Error> no_temporary_file() {
  return fail(Reason::FILE_WRITE_FAILED,
              std::string("[graph] --svg: no temporary file can be written: ") + std::strerror(errno));
}

std::string content(std::FILE* file) {
  std::rewind(file);
  std::string out;
  std::array<char, 4096> piece;
  for (std::size_t read; (read = std::fread(piece.data(), 1, piece.size(), file)) > 0;) out.append(piece.data(), read);
  return out;
}

bool has_succeeded(int status) { return WIFEXITED(status) && WEXITSTATUS(status) == 0; }

/// "status 1: Error: syntax error in line 1"
std::string failure(int status, const std::string& errors) {
  const std::string words = excerpt(errors.substr(0, errors.find('\n')), 200);
  const std::string end = WIFSIGNALED(status) ? "ended by signal " + std::to_string(WTERMSIG(status)) + " (" +
                                                    ::strsignal(WTERMSIG(status)) + ")"
                                              : "status " + std::to_string(WEXITSTATUS(status));
  return words.empty() ? end : end + ": " + words;
}

/// Starts the program with these three files as its standard streams; its wait status.
result<int> run_dot(std::FILE* input, std::FILE* output, std::FILE* errors) {
  posix_spawn_file_actions_t streams;
  ::posix_spawn_file_actions_init(&streams);
  ::posix_spawn_file_actions_adddup2(&streams, ::fileno(input), STDIN_FILENO);
  ::posix_spawn_file_actions_adddup2(&streams, ::fileno(output), STDOUT_FILENO);
  ::posix_spawn_file_actions_adddup2(&streams, ::fileno(errors), STDERR_FILENO);
  std::string program = "dot", format = "-Tsvg";
  std::array<char*, 3> arguments{program.data(), format.data(), nullptr};
  pid_t child = 0;
  const int error = ::posix_spawnp(&child, program.c_str(), &streams, nullptr, arguments.data(), environ);
  ::posix_spawn_file_actions_destroy(&streams);
  if (error != 0) return cannot_run(std::strerror(error));
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

}  // namespace

result<std::string> draw_svg(const std::string& dot) {
  const File input = temporary_file(), output = temporary_file(), errors = temporary_file();
  if (!input || !output || !errors) return no_temporary_file();
  if (std::fwrite(dot.data(), 1, dot.size(), input.get()) != dot.size() || std::fflush(input.get()) != 0)
    return no_temporary_file();
  std::rewind(input.get());
  TENON_TRY(const int status, run_dot(input.get(), output.get(), errors.get()));
  if (!has_succeeded(status)) return failed(failure(status, content(errors.get())));
  std::string svg = content(output.get());
  if (svg.find("<svg") == std::string::npos) return failed("found no SVG in what it wrote");
  return svg;
}

}  // namespace tenon::cli
