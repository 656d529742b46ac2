// strict_scope.h: the floating-point environment of strict numerics on the calling thread, for as long as it stands.
//
// A library somewhere in the process may have turned on flush-to-zero for the thread; what the caller had is restored.
// A kernel that did so meanwhile is told of, once per process.
#pragma once
#include <cfenv>

#include "tenon/device.h"
#include "tenon/fp_environment.h"

namespace tenon {

class StrictScope {
 public:
  /// `device`: whose kernels run meanwhile; it outlives the scope.
  explicit StrictScope(const Device& device) : device_(device), changed_(!fp_environment_is_strict()) {
    if (!changed_) return;
    std::fegetenv(&callers_);
    set_fp_environment();
  }
  ~StrictScope() {
    if (!fp_environment_is_strict()) set_back();
    if (changed_) std::fesetenv(&callers_);
  }
  StrictScope(const StrictScope&) = delete;
  StrictScope& operator=(const StrictScope&) = delete;

 private:
  void set_back() const;

  const Device& device_;
  bool changed_;
  std::fenv_t callers_{};
};

}  // namespace tenon
