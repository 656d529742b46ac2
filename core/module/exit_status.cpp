#include <cstdio>

#include "tenon/with_runtime.h"

namespace tenon {

int exit_status(const result<void>& done) {
  constexpr int failure = 1, misuse = 2;
  if (done) return 0;
  std::fprintf(stderr, "error: %s\n", to_string(done.error()).c_str());
  return done.error().reason == Reason::USAGE ? misuse : failure;
}

}  // namespace tenon
