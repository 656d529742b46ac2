// fp_guard.h: notices a library that changes the floating-point environment while it is loaded, and undoes it.
//
// A library linked with -ffast-math turns on flush-to-zero in its constructors. Lives on one thread's stack.
#pragma once
#include <filesystem>

namespace tenon::host {

class FpGuard {
 public:
  explicit FpGuard(const std::filesystem::path& library);
  /// Warns in the library's name, and sets the environment again.
  ~FpGuard();
  FpGuard(const FpGuard&) = delete;

 private:
  const std::filesystem::path& library_;
};

}  // namespace tenon::host
