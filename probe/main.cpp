// tenon-probe DESCRIPTOR FILE: loads one plugin, asks it for its devices and writes what it found to the descriptor.
//
// Started by libtenon.so, which reads the report; a crash or a hang in here is what it is for. Not for people.
#include <unistd.h>

#include <cstdio>

#include "tenon/leave_no_trace.h"
#include "tenon/probe.h"
#include "tenon/text.h"

int main(int argc, char** argv) {
  const auto descriptor = argc == 3 ? tenon::parse_unsigned(argv[1]) : std::nullopt;
  if (!descriptor) {
    std::fputs("tenon-probe is started by Tenon itself: try `tenon devices`\n", stderr);
    return 2;
  }
  tenon::leave_no_trace();
  tenon::answer_probe(argv[2], static_cast<int>(*descriptor));
  std::fflush(stdout);  // what the plugin printed is part of the report
  _exit(0);
}
