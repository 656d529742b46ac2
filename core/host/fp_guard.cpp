#include "fp_guard.h"

#include "tenon/fp_environment.h"
#include "tenon/log.h"

namespace tenon::host {

FpGuard::FpGuard(const std::filesystem::path& library) : library_(library) {
  std::fegetenv(&callers_);
  set_fp_environment();
}

FpGuard::~FpGuard() {
  const bool kept = fp_environment_is_strict();
  std::fesetenv(&callers_);
  if (kept) return;
  const ReasonInfo& reason = info(Reason::FP_ENVIRONMENT);
  logging::write(logging::Level::warn, "plugin",
                 library_.string() + ": loading it changed the floating-point environment; it was set back (" +
                     std::string(reason.name) + ": " + std::string(reason.next_step) + ")");
}

}  // namespace tenon::host
