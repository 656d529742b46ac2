// tenon-probe DESCRIPTOR FILE: loads one plugin, asks it for its devices and writes what it found to the descriptor.
//
// Started by libtenon.so, which reads the report; a crash or a hang in here is what it is for. Not for people.
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>

#include "tenon/probe.h"
#include "tenon/text.h"

namespace {

/// A plugin that crashes leaves no file behind, and one that hangs does not outlive who asked.
void leave_no_trace() {
  const rlimit no_core{0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
}

}  // namespace

int main(int argc, char** argv) {
  const auto descriptor = argc == 3 ? tenon::parse_unsigned(argv[1]) : std::nullopt;
  if (!descriptor) {
    std::fputs("tenon-probe is started by Tenon itself: try `tenon devices`\n", stderr);
    return 2;
  }
  leave_no_trace();
  tenon::answer_probe(argv[2], static_cast<int>(*descriptor));
  std::fflush(stdout);  // what the plugin printed is part of the report
  _exit(0);
}
