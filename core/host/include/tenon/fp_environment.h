// fp_environment.h: the floating-point environment that strict numerics assume: nearest-even, gradual underflow.
#pragma once
#include "tenon/result.h"

namespace tenon {

/// Sets it for the calling thread.
TENON_API void set_fp_environment();

/// True if the calling thread has it.
TENON_API bool fp_environment_is_strict();

}  // namespace tenon
