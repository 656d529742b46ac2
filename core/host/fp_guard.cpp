#include "fp_guard.h"

#include "tenon/fp_environment.h"

namespace tenon::host {

FpGuard::FpGuard(const std::filesystem::path& library, const char* call) : library_(library), call_(call) {
  std::fegetenv(&callers_);
  set_fp_environment();
}

FpGuard::~FpGuard() {
  const bool kept = fp_environment_is_strict();
  std::fesetenv(&callers_);
  if (kept) return;
  warn_of_fp_environment(library_, call_);
}

}  // namespace tenon::host
