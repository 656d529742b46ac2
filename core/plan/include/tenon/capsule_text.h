// capsule_text.h: what a capsule declares, in the words that reports and listings print. Pure functions; any thread.
#pragma once
#include <string>
#include <string_view>

#include "tenon/export.h"
#include "tenon/plugin.h"

namespace tenon {

TENON_API std::string_view rounding_text(const tenon_numerics& numerics);
TENON_API std::string_view subnormals_text(const tenon_numerics& numerics);
TENON_API std::string_view contraction_text(const tenon_numerics& numerics);
TENON_API std::string_view reduction_text(const tenon_numerics& numerics);

/// "strict: nearest-even, gradual underflow, unfused, sums in a fixed tree"; what does not apply is left out.
TENON_API std::string numerics_text(const tenon_numerics& numerics);

/// "checked", "trusted-external".
TENON_API std::string_view trust_text(std::uint32_t trust);

}  // namespace tenon
