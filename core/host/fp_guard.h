// fp_guard.h: notices a library that changes the floating-point environment while it is called, and undoes it.
//
// A library linked with -ffast-math turns on flush-to-zero in its constructors. Loading happens in the environment of
// strict numerics; the caller's own is restored afterwards. Lives on one thread's stack.
#pragma once
#include <cfenv>
#include <filesystem>

namespace tenon::host {

class FpGuard {
 public:
  /// `call`: what is done meanwhile, for the warning.
  FpGuard(const std::filesystem::path& library, const char* call);
  /// Warns in the library's name if it changed the environment, and restores the caller's.
  ~FpGuard();
  FpGuard(const FpGuard&) = delete;
  FpGuard& operator=(const FpGuard&) = delete;

 private:
  const std::filesystem::path& library_;
  const char* call_;
  std::fenv_t callers_{};
};

}  // namespace tenon::host
