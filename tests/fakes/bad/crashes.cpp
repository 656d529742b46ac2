// Crashes while it is loaded.
#include <csignal>

#include "faulty.h"

namespace {

int crash() {
  std::signal(SIGSEGV, SIG_DFL);  // a sanitizer would make an exit of it
  return std::raise(SIGSEGV);
}

[[maybe_unused]] const int crashed = crash();

}  // namespace

std::int32_t tenon_plugin_query(const tenon_query* query, tenon_reply* reply) { return faulty::answer(query, reply); }
