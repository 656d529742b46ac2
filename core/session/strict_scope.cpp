#include "strict_scope.h"

#include <mutex>

namespace tenon {

void StrictScope::set_back() const {
  set_fp_environment();
  static std::once_flag told;
  std::call_once(told,
                 [&] { warn_of_fp_environment(device_.plugin().candidate().manifest.library, "running its kernels"); });
}

}  // namespace tenon
