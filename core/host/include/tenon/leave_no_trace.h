// leave_no_trace.h: for the helper programs in which a plugin may crash or hang. Once, before the plugin is loaded.
#pragma once
#include <sys/prctl.h>
#include <sys/resource.h>

#include <csignal>

namespace tenon {

/// A plugin that crashes leaves no file behind, and one that hangs does not outlive who asked.
inline void leave_no_trace() {
  const rlimit no_core{0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
}

}  // namespace tenon
