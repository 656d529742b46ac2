// tenon-certify DESCRIPTOR FILE FIRST ONLY FATAL: runs the checks of a certificate on one plugin, from number FIRST on,
// and writes what it found to the descriptor. ONLY and FATAL are those of tenon::check::Assignment.
//
// Started by libtenon.so, which reads it; a crash or a hang in here is what it is for. Not for people.
#include <cstdio>
#include <cstdlib>

#include "allocation.h"
#include "tenon/leave_no_trace.h"
#include "tenon/text.h"

// What a plugin does not give back is a check's business, not the end of this process.
extern "C" __attribute__((visibility("default"))) const char* __asan_default_options();
const char* __asan_default_options() { return "detect_leaks=0"; }

int main(int argc, char** argv) {
  const auto descriptor = argc == 6 ? tenon::parse_unsigned(argv[1]) : std::nullopt;
  const auto first = argc == 6 ? tenon::parse_unsigned(argv[3]) : std::nullopt;
  if (!descriptor || !first) {
    std::fputs("tenon-certify is started by Tenon itself: try `tenon check`\n", stderr);
    return 2;
  }
  tenon::leave_no_trace();
  unsetenv("TENON_VALIDATE");  // nothing of the host's stands between the checks and the plugin
  tenon::check::answer_certify(static_cast<int>(*descriptor), {argv[2], *first, argv[4], argv[5]},
                               tenon::check::allocation_control());
  return 0;
}
