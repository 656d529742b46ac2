// fp_environment.h: the floating-point environment that strict numerics assume: nearest-even, gradual underflow.
#pragma once
#include <filesystem>
#include <string_view>

#include "tenon/result.h"

namespace tenon {

/// Sets it for the calling thread.
TENON_API void set_fp_environment();

/// True if the calling thread has it.
TENON_API bool fp_environment_is_strict();

/// Warns that the plugin of this file left another environment than it found. `call`: what was done meanwhile.
TENON_API void warn_of_fp_environment(const std::filesystem::path& library, std::string_view call);

}  // namespace tenon
