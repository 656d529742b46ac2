// helper_process.h: runs a program to its end or to a time limit, and keeps what it says. One call, one process; any
// thread. Nothing that the program prints reaches this process's own output, and no process that it starts outlives it.
#pragma once
#include <chrono>
#include <filesystem>
#include <string>

#include "tenon/result.h"

namespace tenon::host {

struct HelperOutcome {
  std::string answer;   // what it wrote to the descriptor that its first argument names
  std::string printed;  // on standard output
  std::string errors;   // on standard error
  int status = 0;       // as of waitpid
  bool timed_out = false;
};

/// Starts `program DESCRIPTOR ARGUMENT`. PROBE_FAILED if it cannot be started.
result<HelperOutcome> run_helper(const std::filesystem::path& program, const std::string& argument,
                                 std::chrono::milliseconds limit);

}  // namespace tenon::host
