#include "stdout_guard.h"

#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <mutex>
#include <utility>

namespace tenon::host {
namespace {

// Of the process, as the descriptor is.
constinit std::mutex mutex;
constinit int scopes = 0;
constinit int results = -1;  // where descriptor 1 led; -1 if it was closed

void lead_to_standard_error() {
  results = ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  if (results < 0 || ::dup2(STDERR_FILENO, STDOUT_FILENO) >= 0) return;
  const int nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC);  // standard error is closed
  ::dup2(nowhere, STDOUT_FILENO);
  ::close(nowhere);
}

void lead_back() {
  if (results < 0) return;
  ::dup2(results, STDOUT_FILENO);
  ::close(std::exchange(results, -1));
}

}  // namespace

StdoutGuard::StdoutGuard() {
  const std::lock_guard lock(mutex);
  if (scopes++ > 0) return;
  std::fflush(stdout);
  lead_to_standard_error();
}

StdoutGuard::~StdoutGuard() {
  const std::lock_guard lock(mutex);
  if (--scopes > 0) return;
  std::fflush(stdout);
  lead_back();
}

}  // namespace tenon::host
