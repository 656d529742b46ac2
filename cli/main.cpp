#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>

#include "command.h"
#include "tenon/text.h"
#include "tenon/version.h"

namespace tenon::cli {
namespace {

enum Status { success = 0, failure = 1, misuse = 2 };

Status report(const Error& error) {
  std::fprintf(stderr, "error: %s\n", to_string(error).c_str());
  return error.reason == Reason::USAGE ? misuse : failure;
}

/// A full disk or a closed pipe is found out here, not ignored.
Status print(const std::string& text) {
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
  if (written) return success;
  return report({Reason::FILE_WRITE_FAILED, "[output] standard output: " + std::string(std::strerror(errno)), {}});
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

bool asks_for_help(std::span<const std::string> args) {
  const auto end = std::ranges::find(args, "--");
  return std::any_of(args.begin(), end, [](const std::string& word) { return word == "--help" || word == "-h"; });
}

Status run(std::span<const std::string> args) {
  if (args.empty()) return report(usage_error("no command given", "run `tenon --help`"));
  const std::string& first = args.front();
  if (first == "--help" || first == "-h") return print(global_help());
  if (first == "--version") return print("tenon " + std::string(version()) + "\n");
  const Command* command = find_command(first);
  if (command == nullptr) return report(unknown_command(first));
  if (asks_for_help(args.subspan(1))) return print(help(*command));
  const auto output = command->run(args.subspan(1));
  return output ? print(*output) : report(output.error());
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
    cli::ignore_signals();
    return cli::run(std::vector<std::string>(argv + std::min(argc, 1), argv + argc));
  } catch (const std::bad_alloc&) {
    return cli::report({Reason::OUT_OF_MEMORY, "[tenon] the host is out of memory", {}});
  } catch (const std::exception& error) {
    return cli::report(
        {Reason::KERNEL_FAILED, std::string("[tenon] unexpected: ") + error.what(), "report this as a bug"});
  }
}
