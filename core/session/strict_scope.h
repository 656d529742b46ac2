// strict_scope.h: the floating-point environment of strict numerics on the calling thread, for as long as it stands.
//
// A library somewhere in the process may have turned on flush-to-zero for the thread; what the caller had is restored.
#pragma once
#include <cfenv>

#include "tenon/fp_environment.h"

namespace tenon {

class StrictScope {
 public:
  StrictScope() : changed_(!fp_environment_is_strict()) {
    if (!changed_) return;
    std::fegetenv(&callers_);
    set_fp_environment();
  }
  ~StrictScope() {
    if (changed_) std::fesetenv(&callers_);
  }
  StrictScope(const StrictScope&) = delete;
  StrictScope& operator=(const StrictScope&) = delete;

 private:
  bool changed_;
  std::fenv_t callers_{};
};

}  // namespace tenon
