// helper_process.h: runs a program to its end or to a time limit, and keeps what it says. One call, one process; any
// thread. Nothing that the program prints reaches this process's own output, and no process that it starts outlives it.
#pragma once
#include <chrono>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "tenon/result.h"

namespace tenon::host {

struct HelperOutcome {
  std::string answer;   // what it wrote to the descriptor that its first argument names
  std::string printed;  // on standard output
  std::string errors;   // on standard error
  int status = 0;       // as of waitpid
  bool timed_out = false;
};

/// "signal SIGSEGV", "exit status 1 (its last words: no memory)".
std::string how_it_ended(const HelperOutcome& outcome);

/// PROBE_FAILED: it is none of this Tenon's, or broken. `where` heads the error.
tl::unexpected<Error> broken_helper(std::string_view where, const std::filesystem::path& program,
                                    const HelperOutcome& outcome);

/// How long a helper may take: altogether, or from each time that it writes to its descriptor to the next.
enum class Limit { of_all, of_silence };

/// Starts `program DESCRIPTOR ARGUMENTS...`. PROBE_FAILED if it cannot be started.
result<HelperOutcome> run_helper(const std::filesystem::path& program, std::span<const std::string> arguments,
                                 std::chrono::milliseconds limit, Limit kind = Limit::of_all);

}  // namespace tenon::host
