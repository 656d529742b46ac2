// version.h: the version of this Tenon.
#pragma once
#include <string_view>

#include "tenon/export.h"

namespace tenon {

/// "0.1.0"
TENON_API std::string_view version();

}  // namespace tenon
