// stdout_guard.h: keeps a plugin's words out of the results on standard output. A scope; any thread may make one.
#pragma once

namespace tenon::host {

/// While one lives, file descriptor 1 of the process leads to standard error. Scopes of several threads may overlap:
/// the first sets it, the last sets it back. Results that another thread prints meanwhile go astray with it, so scopes
/// are short: a load, a search for devices.
class StdoutGuard {
 public:
  StdoutGuard();
  ~StdoutGuard();
  StdoutGuard(const StdoutGuard&) = delete;
};

}  // namespace tenon::host
