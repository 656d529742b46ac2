#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>

#include "command.h"
#include "tenon/text.h"
#include "tenon/validation.h"
#include "tenon/version.h"

namespace tenon::cli {
namespace {

enum Status { success = 0, failure = 1, misuse = 2 };

/// Every word at a length that can be read: a name or path may have thousands of characters.
std::string words_shown(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of(" \n"), text.size());
    out += shown(text.substr(0, end));
    if (end < text.size()) out += text[end];
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

Status report(const Error& error) {
  std::fprintf(stderr, "error: %s\n", words_shown(to_string(error)).c_str());
  return error.reason == Reason::USAGE ? misuse : failure;
}

/// 0, or the error number: a full disk or a closed pipe is found out here, not ignored.
int write_out(const std::string& text) {
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
  return written ? 0 : errno;
}

/// What else the command has written stays: only of its result is it known that it does not appear.
Status cannot_print(int code, const std::optional<AtomicFile>& result) {
  return report({Reason::FILE_WRITE_FAILED, "[output] standard output: " + std::string(std::strerror(code)),
                 "see where standard output goes: it must be open and have room" +
                     (result ? "; " + result->target().string() + " was not written" : "")});
}

/// As SIGPIPE ends other programs whose reader has seen enough: without a word.
Status end_by_closed_pipe() {
  std::signal(SIGPIPE, SIG_DFL);
  std::raise(SIGPIPE);
  return failure;
}

Status print(const std::string& text) {
  const int code = write_out(text);
  if (code == EPIPE) return end_by_closed_pipe();
  return code == 0 ? success : cannot_print(code, {});
}

const Command* find_command(std::string_view word) {
  const auto command = std::ranges::find(commands(), word, &Command::name);
  return command == commands().end() ? nullptr : *command;
}

Error unknown_command(const std::string& word) {
  std::vector<std::string> names;
  for (const Command* command : commands()) names.emplace_back(command->name);
  return usage_error("unknown command: found \"" + word + "\", expected one of " + join(names),
                     suggestion(word, names));
}

/// The command's own help is nearer than the program's.
Error in_command(const Command& command, Error error) {
  if (error.reason == Reason::USAGE && error.hint.empty())
    error.hint = "run `tenon " + std::string(command.name) + " --help`";
  return error;
}

/// A reader that has gone takes neither the file nor the failure with it.
Status finish(Output& output) {
  const int code = write_out(output.text);
  if (code != 0 && code != EPIPE) return cannot_print(code, output.file);
  if (output.error) return report(*output.error);
  if (output.file)
    if (const auto committed = output.file->commit(); !committed) return report(committed.error());
  std::fputs(output.note.c_str(), stderr);
  return code == EPIPE ? end_by_closed_pipe() : success;
}

/// `tenon --help` and `tenon --version` stand alone.
Status print_alone(std::span<const std::string> args, const std::string& text) {
  if (args.size() == 1) return print(text);
  const bool is_command = find_command(args[1]) != nullptr;
  return report(
      usage_error("unexpected argument: found \"" + shown(args[1]) + "\" after " + args[0] + ", expected nothing",
                  is_command ? "run `tenon " + args[1] + " --help`" : "write " + args[0] + " alone"));
}

bool asks_for_help(std::span<const std::string> args) {
  const auto end = std::ranges::find(args, "--");
  return std::any_of(args.begin(), end, [](const std::string& word) { return word == "--help" || word == "-h"; });
}

Status run(std::span<const std::string> args) {
  if (args.empty()) return report(usage_error("no command given", "run `tenon --help`"));
  const std::string& first = args.front();
  if (first == "--help" || first == "-h") return print_alone(args, global_help());
  if (first == "--version") return print_alone(args, "tenon " + std::string(version()) + "\n");
  const Command* command = find_command(first);
  if (command == nullptr) return report(unknown_command(first));
  if (asks_for_help(args.subspan(1))) return print(help(*command));
  auto output = command->run(args.subspan(1));
  if (!output) return report(in_command(*command, std::move(output).error()));
  if (const auto clean = check_validation(); !clean) return report(clean.error());
  return finish(*output);
}

/// A closed standard stream would lend its number to the next file that is opened, and results would land in there.
void hold_standard_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (::fcntl(stream, F_GETFD) < 0) ::open("/dev/null", stream == STDERR_FILENO ? O_WRONLY : O_RDONLY);
}

/// Writes to a closed pipe or beyond a size limit come back as errors instead of ending the process.
void ignore_signals() {
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
}

}  // namespace
}  // namespace tenon::cli

int main(int argc, char** argv) {
  using namespace tenon;
  try {
    cli::hold_standard_streams();
    cli::ignore_signals();
    return cli::run(std::vector<std::string>(argv + std::min(argc, 1), argv + argc));
  } catch (const std::bad_alloc&) {
    return cli::report({Reason::OUT_OF_MEMORY, "[tenon] the host is out of memory", {}});
  } catch (const std::exception& error) {
    return cli::report(
        {Reason::KERNEL_FAILED, std::string("[tenon] unexpected: ") + error.what(), "report this as a bug"});
  }
}
